<?php
// The helper for engines in PHP: implements the protocol, so an engine only stores rows.
//
// An engine is a class with `open()`, `query($sql)`, which returns one value, `insert($firstKey)` and `close()`. `open`
// sets `$this->rows`. `serve` makes the engine. Batchmark's request is in `$this->job`; see the article "Engines in any
// language".

abstract class BatchmarkEngine
{
    public array $job;
    public string $strategy;
    public array $entity;
    public array $columns;
    public array $rows = [];

    public function __construct(array $job)
    {
        $this->job = $job;
        $this->strategy = $job['strategy'];
        $this->entity = $job['entities'][0];
        $this->columns = $this->entity['columns'];
    }

    abstract public function open(): void;
    abstract public function query(string $sql): mixed;
    abstract public function insert(int $firstKey): void;
    abstract public function close(): void;

    /** Returns all rows of the source as arrays, in the order of the entity's columns. */
    public function heldRows(): array
    {
        $source = new PDO('sqlite:' . $this->job['source']);
        $sql = "SELECT * FROM \"{$this->entity['source_table']}\" ORDER BY rowid";
        return $source->query($sql)->fetchAll(PDO::FETCH_NUM);
    }

    /** Returns a parameter that is a number of rows; "all" is the number of all rows. */
    public function number(string $parameter): int
    {
        $value = $this->job['parameters'][$parameter] ?? 'all';
        return $value === 'all' ? max(count($this->rows), 1) : $value;
    }

    /** Returns the columns of the first uniqueness constraint, or none if there is no constraint. */
    public function unique(): array
    {
        return $this->entity['unique_together'][0] ?? [];
    }

    /** Whether a stored row stays unchanged on a conflict; otherwise it gets the values of the new row. */
    public function keepsStored(): bool
    {
        return !in_array($this->job['merge_policy'], ['object_trump', 'overwrite']);
    }

    /** Returns the columns that are not in `unique`: those that a conflict can update. */
    public function plain(): array
    {
        return array_values(array_diff(array_column($this->columns, 'column'), $this->unique()));
    }

    /** Sets the pragmas and runs the first write with a function that runs a statement. */
    public function prepareStore(callable $execute): void
    {
        foreach ($this->job['pragmas'] as $pragma) {
            $execute("PRAGMA {$pragma['name']} = {$pragma['value']}");
        }
        foreach (explode(';', $this->job['first_write']) as $statement) {
            $execute(trim($statement));
        }
    }

    public function checkpoint(): void
    {
        if ($this->query('PRAGMA wal_checkpoint(TRUNCATE)') != 0) {
            throw new RuntimeException('the checkpoint left frames in the WAL');
        }
    }

    /** Returns the current values of the pragmas. */
    public function pragmas(): object
    {
        $answers = [];
        foreach ($this->job['answered_pragmas'] as $name) {
            $value = $this->query("PRAGMA $name");
            if ($value !== null && $value !== false) {
                $answers[$name] = (string) $value;
            }
        }
        return (object) $answers;
    }

    /**
     * Describes a strategy for `hello`, with its parameters and their defaults. A strategy that gives up "no upsert"
     * cannot handle rows with unique values that are already in the store.
     */
    public static function strategy(
        string $name, string $role, string $summary, array $givesUp, array $parameters = ['save_every' => 'all']
    ): array {
        return ['name' => $name, 'operation' => 'insert', 'role' => $role, 'summary' => $summary, 'rows' => 'held',
            'gives_up' => $givesUp, 'upserts' => !in_array('no upsert', $givesUp), 'parameters' => $parameters];
    }

    /** Returns the program's answer to `hello`. */
    public static function hello(string $engine, string $version, array $strategies): array
    {
        $library = (new PDO('sqlite::memory:'))->query('SELECT sqlite_version(), sqlite_source_id()')->fetch();
        return ['hello' => 1, 'engine' => $engine, 'version' => $version, 'runtime' => 'PHP ' . PHP_VERSION,
            'sqlite' => ['version' => $library[0], 'source_id' => $library[1]], 'strategies' => $strategies];
    }

    /** Returns the version of a Debian package, for a library that does not report its own. */
    public static function packageVersion(string $package): string
    {
        $version = (string) shell_exec("dpkg-query -W -f '\${Version}' $package 2>/dev/null");
        return strtok($version, '+-') ?: 'unknown';
    }

    private function answer(string $request, mixed $value): array
    {
        switch ($request) {
            case 'open':
                $this->open();
                return ['ready' => $this->pragmas()];
            case 'go':
                $start = hrtime(true);
                $this->insert($value['first_key']);
                return ['done' => ['rows' => count($this->rows), 'seconds' => (hrtime(true) - $start) / 1e9]];
            case 'checkpoint':
                $this->checkpoint();
                return ['checkpointed' => 1];
            case 'close':
                $this->close();
                return ['closed' => 1];
        }
        return ['error' => "this program knows no request '$request'"];
    }

    /** Answers requests until Batchmark closes the connection. */
    public static function serve(array $hello): void
    {
        // PDO binds a float as text. SQLite needs 17 digits to read the same float.
        ini_set('precision', '17');
        $requests = fopen('php://fd/3', 'r');
        $answers = fopen('php://fd/4', 'w');
        $engine = null;
        while (($line = fgets($requests)) !== false) {
            [$request, $value] = [key($message = json_decode($line, true)), current($message)];
            try {
                if ($request === 'open') {
                    $opened = new static($value);
                    $answer = $opened->answer($request, $value);
                    $engine = $opened;
                } else {
                    $answer = match (true) {
                        $request === 'hello' => $hello,
                        $engine !== null => $engine->answer($request, $value),
                        $request === 'close' => ['closed' => 1],
                        default => throw new LogicException("no store is open for the request '$request'"),
                    };
                }
            } catch (Throwable $error) {
                fwrite(STDERR, "$error\n");
                $answer = ['error' => get_class($error) . ': ' . $error->getMessage()];
            }
            $flags = JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE;
            fwrite($answers, json_encode($answer, $flags) . "\n");
            fflush($answers);
            if ($request === 'close') {
                return;
            }
        }
    }
}
