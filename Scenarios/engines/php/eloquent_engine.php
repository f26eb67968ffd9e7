<?php
// Eloquent of Laravel: create for each object, or insert and upsert for many rows.
//
// https://laravel.com/docs/8.x/eloquent#inserts
// https://laravel.com/docs/8.x/eloquent#upserts
// https://laravel.com/docs/8.x/queries#insert-statements

require __DIR__ . '/batchmark_engine.php';
require 'Illuminate/Database/autoload.php';

use Illuminate\Database\Capsule\Manager;
use Illuminate\Database\Connection;
use Illuminate\Database\Eloquent\Model;

class Row extends Model
{
    public static string $stored;
    public static string $key;
    public $timestamps = false;
    public $incrementing = false;
    protected $guarded = [];

    public function getTable()
    {
        return self::$stored;
    }

    public function getKeyName()
    {
        return self::$key;
    }
}

class EloquentEngine extends BatchmarkEngine
{
    private Connection $connection;

    public function open(): void
    {
        $blobs = array_keys(array_column($this->columns, 'storage'), 'BLOB');
        $names = array_column($this->columns, 'column');
        foreach ($this->heldRows() as $row) {
            foreach ($blobs as $index) {
                $row[$index] === null ?: throw new DomainException('this engine stores no binary data');
            }
            $this->rows[] = $this->job['constants'] + array_combine($names, $row);
        }
        Row::$stored = $this->entity['table'];
        Row::$key = $this->job['key']['column'];
        $manager = new Manager();
        $manager->addConnection(['driver' => 'sqlite', 'database' => $this->job['store']]);
        $manager->bootEloquent();
        $this->connection = $manager->getConnection();
        $this->prepareStore($this->connection->unprepared(...));
    }

    public function query(string $sql): mixed
    {
        return current((array) $this->connection->selectOne($sql));
    }

    public function insert(int $firstKey): void
    {
        foreach (array_chunk($this->rows, $this->number('save_every')) as $rows) {
            $this->connection->transaction(function () use ($rows, &$firstKey) {
                foreach (array_chunk($rows, $this->strategy === 'save' ? 1 : $this->number('request_size')) as $batch) {
                    foreach ($batch as &$row) {
                        $row[Row::$key] = $firstKey++;
                    }
                    $this->store($batch);
                }
            });
        }
    }

    private function store(array $rows): void
    {
        if ($this->strategy === 'save') {
            Row::create($rows[0]);
        } elseif ($this->unique() === []) {
            Row::insert($rows);
        } elseif ($this->keepsStored()) {
            Row::insertOrIgnore($rows);
        } else {
            Row::upsert($rows, $this->unique(), $this->plain() ?: ['Z_OPT']);
        }
    }

    public function close(): void
    {
        $this->connection->disconnect();
    }
}

$version = EloquentEngine::packageVersion('php-illuminate-database');
EloquentEngine::serve(EloquentEngine::hello('Eloquent', $version, [
    EloquentEngine::strategy(
        'save', 'object_by_object', 'Eloquent: create for each object', ['no upsert', 'no binary data']),
    EloquentEngine::strategy(
        'batch', 'batch_array', 'Eloquent: insert or upsert for each batch of rows',
        ['no objects', 'no events', 'no binary data'],
        ['save_every' => 'all', 'request_size' => 1000]),
]));
