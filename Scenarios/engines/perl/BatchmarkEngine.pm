# The helper for engines in Perl: implements the protocol, so an engine only stores rows.
#
# An engine is a package with the subroutines `opens`, `query(sql)`, which returns one value, `insert(first_key)` and
# `closes`. `opens` sets `$self->{rows}`. `BatchmarkEngine::serve` makes the engine. Batchmark's request is in
# `$self->{job}`; see the article "Engines in any language".
package BatchmarkEngine;
use strict;
use warnings;
use DBD::SQLite;
use DBI;
use Encode qw(encode);
use IO::Handle;
use JSON::XS ();
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

sub new {
  my ($class, $job) = @_;
  my $entity = $job->{entities}[0];
  return bless {
    job => $job, strategy => $job->{strategy}, key => $job->{key}{column}, entity => $entity,
    columns => $entity->{columns},
  }, $class;
}

# The DBI data source of a file. It is a URI because DBD::SQLite ends a plain name at ';', which a URI can escape.
sub data_source {
  my ($path) = @_;
  my $name = encode('UTF-8', $path);
  $name =~ s{([^A-Za-z0-9/:._~-])}{sprintf '%%%02X', ord $1}ge;
  return "dbi:SQLite:uri=file:$name";
}

# Opens a database with DBD::SQLite. Errors raise exceptions, and text is Unicode.
sub connect_sqlite {
  my ($path) = @_;
  return DBI->connect(data_source($path), '', '', { RaiseError => 1, PrintError => 0, sqlite_unicode => 1 });
}

# All rows of the source as arrays, in the order of the entity's columns. DBD::SQLite binds a number as its text, and
# Perl prints only 15 digits, so doubles are texts with 17 digits here.
sub held_rows {
  my ($self) = @_;
  my $source = connect_sqlite($self->{job}{source});
  my $rows = $source->selectall_arrayref(qq(SELECT * FROM "$self->{entity}{source_table}" ORDER BY rowid));
  $source->disconnect;
  my @reals = grep { $self->{columns}[$_]{storage} eq 'REAL' } 0 .. $#{$self->{columns}};
  for my $row (@$rows) {
    for (@$row[@reals]) { $_ = sprintf '%.17g', $_ if defined }
  }
  return $rows;
}

# The names of all columns, including the constants.
sub names {
  my ($self) = @_;
  return ((sort keys %{$self->{job}{constants}}), map { $_->{column} } @{$self->{columns}});
}

# All rows as arrays of the constants and the columns, in the order of `names`.
sub held_values {
  my ($self) = @_;
  my $constants = $self->{job}{constants};
  my @constants = map { $constants->{$_} } sort keys %$constants;
  return [map { [@constants, @$_] } @{$self->held_rows}];
}

# A parameter that is a number of rows; "all" is the number of all rows.
sub number {
  my ($self, $parameter) = @_;
  my $value = $self->{job}{parameters}{$parameter} // 'all';
  return $value ne 'all' ? $value : @{$self->{rows}} || 1;
}

# Calls a subroutine with the rows of each transaction and the key of its first row.
sub saves {
  my ($self, $key, $store) = @_;
  my ($rows, $step) = ($self->{rows}, $self->number('save_every'));
  for (my $start = 0; $start < @$rows; $start += $step) {
    my $end = $start + $step < @$rows ? $start + $step : @$rows;
    $store->([@$rows[$start .. $end - 1]], $key + $start);
  }
}

# Sets the pragmas and runs the first write on a DBI handle.
sub prepare_store {
  my ($self, $handle) = @_;
  $handle->do("PRAGMA $_->{name} = $_->{value}") for @{$self->{job}{pragmas}};
  $handle->do($_) for split /;\s*/, $self->{job}{first_write};
}

sub checkpoint {
  my ($self) = @_;
  die "the checkpoint left frames in the WAL\n" if $self->query('PRAGMA wal_checkpoint(TRUNCATE)');
}

# The current values of the pragmas.
sub pragmas {
  my ($self) = @_;
  my %answers = map { $_ => $self->query("PRAGMA $_") } @{$self->{job}{answered_pragmas}};
  return { map { $_ => "$answers{$_}" } grep { defined $answers{$_} } keys %answers };
}

# The description of a strategy for `hello`, with its parameters and their defaults. A strategy that gives up
# "no upsert" cannot handle rows with unique values that are already in the store.
sub strategy {
  my ($name, $role, $summary, $gives_up, $parameters) = @_;
  return {
    name => $name, operation => 'insert', role => $role, summary => $summary, rows => 'held', gives_up => $gives_up,
    upserts => (grep { $_ eq 'no upsert' } @$gives_up) ? JSON::XS::false : JSON::XS::true,
    parameters => $parameters || { save_every => 'all' },
  };
}

# The program's answer to `hello`.
sub hello {
  my ($engine, $version, @strategies) = @_;
  my ($library, $source) = connect_sqlite(':memory:')->selectrow_array('SELECT sqlite_version(), sqlite_source_id()');
  return {
    hello => 1, engine => $engine, version => "$version", runtime => sprintf('Perl %vd', $^V),
    sqlite => { version => $library, source_id => $source }, strategies => \@strategies,
  };
}

sub answer {
  my ($self, $request, $value) = @_;
  if ($request eq 'open') {
    $self->opens;
    return { ready => $self->pragmas };
  } elsif ($request eq 'go') {
    my $start = clock_gettime(CLOCK_MONOTONIC);
    $self->insert($value->{first_key});
    return { done => { rows => scalar @{$self->{rows}}, seconds => clock_gettime(CLOCK_MONOTONIC) - $start } };
  } elsif ($request eq 'checkpoint') {
    $self->checkpoint;
    return { checkpointed => 1 };
  } elsif ($request eq 'close') {
    $self->closes;
    return { closed => 1 };
  }
  return { error => "this program knows no request '$request'" };
}

# Answers requests until Batchmark closes the connection.
sub serve {
  my ($class, $hello) = @_;
  open(my $requests, '<&=', 3) or die "descriptor 3: $!";
  open(my $answers, '>&=', 4) or die "descriptor 4: $!";
  $answers->autoflush(1);
  my ($engine, $json) = (undef, JSON::XS->new->utf8->canonical);
  while (my $line = <$requests>) {
    my ($request, $value) = %{$json->decode($line)};
    my $answer = eval {
      if ($request eq 'hello') {
        $hello;
      } elsif ($request eq 'open') {
        my $opened = $class->new($value);
        my $ready = $opened->answer($request, $value);
        $engine = $opened;
        $ready;
      } elsif ($engine) {
        $engine->answer($request, $value);
      } else {
        $request eq 'close' ? { closed => 1 } : die "no store is open for the request '$request'\n";
      }
    };
    $answer //= { error => "$@" };
    print $answers $json->encode($answer), "\n";
    last if $request eq 'close';
  }
}

1;
