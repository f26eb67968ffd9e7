<?php
// Doctrine: persist for each object and a flush for each save, or a flush and a clear for each batch of objects.
//
// https://www.doctrine-project.org/projects/doctrine-orm/en/2.14/reference/working-with-objects.html#persisting-entities
// https://www.doctrine-project.org/projects/doctrine-orm/en/2.14/reference/batch-processing.html#bulk-inserts

require __DIR__ . '/batchmark_engine.php';
require 'Doctrine/ORM/autoload.php';

use Doctrine\ORM\{Configuration, EntityManager, Mapping\ClassMetadata};
use Doctrine\Persistence\Mapping\Driver\StaticPHPDriver;

class DoctrineEngine extends BatchmarkEngine
{
    private const TYPES = ['INTEGER' => 'integer', 'REAL' => 'float', 'TEXT' => 'text', 'BLOB' => 'blob'];
    public static self $opened;
    private EntityManager $manager;

    public function open(): void
    {
        self::$opened = $this;
        $this->rows = $this->heldRows();
        // A class with a property for each attribute, like one that a user would write.
        $names = [$this->job['key']['column'], ...array_keys($this->job['constants'])];
        $names = [...$names, ...array_column($this->columns, 'attribute')];
        $loader = 'public static function loadMetadata($it) { DoctrineEngine::$opened->map($it); }';
        eval('class Row { public $' . implode('; public $', $names) . "; $loader }");
        $configuration = new Configuration();
        $configuration->setProxyDir(dirname($this->job['store']));
        $configuration->setProxyNamespace('Proxies');
        $configuration->setMetadataDriverImpl(new StaticPHPDriver([]));
        $connection = ['driver' => 'pdo_sqlite', 'path' => $this->job['store']];
        $this->manager = EntityManager::create($connection, $configuration);
        $this->prepareStore($this->manager->getConnection()->executeStatement(...));
        $this->manager->getClassMetadata('Row');
    }

    public function map(ClassMetadata $row): void
    {
        $row->setPrimaryTable(['name' => $this->entity['table']]);
        $row->mapField(['fieldName' => $this->job['key']['column'], 'type' => 'integer', 'id' => true]);
        foreach (array_keys($this->job['constants']) as $name) {
            $row->mapField(['fieldName' => $name, 'type' => 'integer']);
        }
        foreach ($this->columns as $column) {
            $row->mapField(['fieldName' => $column['attribute'], 'columnName' => $column['column'],
                'type' => self::TYPES[$column['storage']], 'nullable' => $column['optional']]);
        }
    }

    public function query(string $sql): mixed
    {
        return $this->manager->getConnection()->fetchOne($sql);
    }

    public function insert(int $firstKey): void
    {
        $size = $this->strategy === 'batch' ? $this->number('request_size') : PHP_INT_MAX;
        foreach (array_chunk($this->rows, $this->number('save_every')) as $rows) {
            $this->manager->wrapInTransaction(function () use ($rows, $size, &$firstKey) {
                foreach (array_chunk($rows, $size) as $batch) {
                    foreach ($batch as $row) {
                        $this->manager->persist($this->object($firstKey++, $row));
                    }
                    $this->manager->flush();
                    $this->manager->clear();
                }
            });
        }
    }

    private function object(int $key, array $row): Row
    {
        $object = new Row();
        $object->{$this->job['key']['column']} = $key;
        foreach ($this->job['constants'] as $name => $value) {
            $object->$name = $value;
        }
        foreach ($this->columns as $index => $column) {
            $object->{$column['attribute']} = $row[$index];
        }
        return $object;
    }

    public function close(): void
    {
        $this->manager->getConnection()->close();
    }
}

DoctrineEngine::serve(DoctrineEngine::hello('Doctrine', Doctrine\ORM\Version::VERSION, [
    DoctrineEngine::strategy(
        'save', 'object_by_object', 'Doctrine: persist for each object, a flush for each save', ['no upsert']),
    DoctrineEngine::strategy(
        'batch', 'batch_array', 'Doctrine: a flush and a clear for each batch of objects',
        ['no upsert', 'no objects in memory afterwards'], ['save_every' => 'all', 'request_size' => 20]),
]));
