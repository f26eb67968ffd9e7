# DBIx::Class: create for each object, or populate in void context for many rows.
#
# https://metacpan.org/pod/DBIx::Class::ResultSet#create
# https://metacpan.org/pod/DBIx::Class::ResultSet#populate
# https://metacpan.org/pod/DBIx::Class::Manual::Cookbook#Transactions
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use BatchmarkEngine;
use DBIx::Class;

package Store::Row;
use parent 'DBIx::Class::Core';

package Store;
use parent 'DBIx::Class::Schema';

package DBIxClass;
use parent -norequire, 'BatchmarkEngine';

sub opens {
  my ($self) = @_;
  $self->{rows} = $self->held_values;
  my $first = keys %{$self->{job}{constants}};
  my @blobs = grep { $self->{columns}[$_ - $first]{storage} eq 'BLOB' } $first .. $first + $#{$self->{columns}};
  for my $row (@{$self->{rows}}) { die "this engine stores no binary data\n" if grep { defined } @$row[@blobs] }
  Store::Row->table($self->{entity}{table});
  Store::Row->add_columns($self->{key}, $self->names);
  Store::Row->set_primary_key($self->{key});
  Store->register_class(Row => 'Store::Row');
  $self->{schema} = Store->connect(BatchmarkEngine::data_source($self->{job}{store}), '', '', { sqlite_unicode => 1 });
  $self->{schema}->storage->dbh_do(sub { $self->prepare_store($_[1]) });
}

sub query { my ($self, $sql) = @_; return ($self->{schema}->storage->dbh->selectrow_array($sql))[0] }

sub insert {
  my ($self, $first_key) = @_;
  my @names = ($self->{key}, $self->names);
  my $set = $self->{schema}->resultset('Row');
  $self->saves($first_key, sub {
    my ($rows, $key) = @_;
    $self->{schema}->txn_do(sub {
      if ($self->{strategy} eq 'save') {
        for my $row (@$rows) {
          my %values;
          @values{@names} = ($key++, @$row);
          $set->create(\%values);
        }
      } else {
        $set->populate([\@names, map { [$key++, @$_] } @$rows]);
      }
    });
  });
}

sub closes { my ($self) = @_; $self->{schema}->storage->disconnect }

package main;
DBIxClass->serve(BatchmarkEngine::hello(
  'DBIx::Class', DBIx::Class->VERSION,
  BatchmarkEngine::strategy(
    'save', 'object_by_object', 'DBIx::Class: create for each object', ['no upsert', 'no binary data']),
  BatchmarkEngine::strategy(
    'batch', 'batch_array', 'DBIx::Class: populate with the rows of each save',
    ['no objects', 'no hooks', 'no upsert', 'no binary data'])));
