# DBD::SQLite: one prepared statement that is executed for each row, or execute_array for all of them.
#
# https://metacpan.org/pod/DBI#execute
# https://metacpan.org/pod/DBI#execute_array
# https://metacpan.org/pod/DBD::SQLite#Performance
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use BatchmarkEngine;

package DBDSQLite;
use parent -norequire, 'BatchmarkEngine';

sub opens {
  my ($self) = @_;
  $self->{rows} = $self->held_rows;
  $self->{store} = BatchmarkEngine::connect_sqlite($self->{job}{store});
  $self->prepare_store($self->{store});
  my $statement = $self->{statement} = $self->{store}->prepare($self->{job}{insert});
  # A parameter keeps its type for later executions. Without a type, numbers would be bound as text.
  my %types = (INTEGER => DBI::SQL_BIGINT, REAL => DBI::SQL_DOUBLE, TEXT => DBI::SQL_VARCHAR, BLOB => DBI::SQL_BLOB);
  my $place = 1;
  $statement->bind_param($place++, undef, $types{$_}) for 'INTEGER', map { $_->{storage} } @{$self->{columns}};
}

sub query { my ($self, $sql) = @_; return ($self->{store}->selectrow_array($sql))[0] }

sub insert {
  my ($self, $first_key) = @_;
  my ($store, $statement) = @$self{qw(store statement)};
  $self->saves($first_key, sub {
    my ($rows, $key) = @_;
    $store->begin_work;
    if ($self->{strategy} eq 'save') {
      $statement->execute($key++, @$_) for @$rows;
    } else {
      my $next = 0;
      my $row = sub { $next < @$rows ? [$key++, @{$rows->[$next++]}] : undef };
      $statement->execute_array({ ArrayTupleFetch => $row });
    }
    $store->commit;
  });
}

sub closes { my ($self) = @_; delete $self->{statement}; $self->{store}->disconnect }

package main;
my @gives_up = ('no model', 'no objects', 'SQL by hand');
DBDSQLite->serve(BatchmarkEngine::hello(
  'DBD::SQLite', $DBD::SQLite::VERSION,
  BatchmarkEngine::strategy('save', 'object_by_object', 'DBD::SQLite: execute for each row', \@gives_up),
  BatchmarkEngine::strategy('batch', 'batch_array', 'DBD::SQLite: execute_array for each save', \@gives_up)));
