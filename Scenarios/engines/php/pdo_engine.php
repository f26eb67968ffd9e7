<?php
// PDO: one prepared statement that is executed for each row. PDO has no other way for many rows.
//
// https://www.php.net/manual/en/pdo.prepared-statements.php
// https://www.php.net/manual/en/pdo.transactions.php

require __DIR__ . '/batchmark_engine.php';

class PDOEngine extends BatchmarkEngine
{
    private PDO $store;
    private PDOStatement $statement;
    private array $values;

    public function open(): void
    {
        $this->rows = $this->heldRows();
        $this->store = new PDO('sqlite:' . $this->job['store'], options: [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
        $this->prepareStore($this->store->exec(...));
        $this->statement = $this->store->prepare($this->job['insert']);
        $this->values = array_fill(0, count($this->columns) + 1, null);
        $types = ['INTEGER' => PDO::PARAM_INT, 'BLOB' => PDO::PARAM_LOB];
        $this->statement->bindParam(1, $this->values[0], PDO::PARAM_INT);
        foreach ($this->columns as $index => $column) {
            $type = $types[$column['storage']] ?? PDO::PARAM_STR;
            $this->statement->bindParam($index + 2, $this->values[$index + 1], $type);
        }
    }

    public function query(string $sql): mixed
    {
        return $this->store->query($sql)->fetchColumn();
    }

    public function insert(int $firstKey): void
    {
        foreach (array_chunk($this->rows, $this->number('save_every')) as $rows) {
            $this->store->beginTransaction();
            foreach ($rows as $row) {
                $this->values[0] = $firstKey++;
                foreach ($row as $index => $value) {
                    $this->values[$index + 1] = $value;
                }
                $this->statement->execute();
            }
            $this->store->commit();
        }
    }

    public function close(): void
    {
        unset($this->statement, $this->store);
    }
}

PDOEngine::serve(PDOEngine::hello('PDO', PHP_VERSION, [
    PDOEngine::strategy(
        'save', 'object_by_object', 'PDO: execute for each row', ['no model', 'no objects', 'SQL by hand']),
]));
