# Stores 1,000 rows with DBI.
use strict;
use warnings;
use DBI;
my $store = DBI->connect("dbi:SQLite:dbname=$ARGV[0]/store.db", "", "", {RaiseError => 1, AutoCommit => 0});
$store->do("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)");
my $insert = $store->prepare("INSERT INTO item (name) VALUES (?)");
$insert->execute("name $_") for 1 .. 1000;
$store->commit;
my ($count) = $store->selectrow_array("SELECT count(*) FROM item");
print "$count\n";
$store->disconnect;
