<?php
// Stores 1,000 rows with PDO.
$store = new PDO("sqlite:" . $argv[1] . "/store.db");
$store->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$store->exec("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)");
$store->beginTransaction();
$insert = $store->prepare("INSERT INTO item (name) VALUES (?)");
for ($row = 0; $row < 1000; $row++) $insert->execute(["name $row"]);
$store->commit();
echo $store->query("SELECT count(*) FROM item")->fetchColumn(), "\n";
