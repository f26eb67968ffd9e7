<?php
// The helper for engines in PHP: it speaks the protocol, and an engine stores rows.
//
// An engine is a class with `open()`, `query($sql)`, which answers one value, `insert($firstKey)` and `close()`;
// `serve` makes one for a process. `open` sets `$this->rows`. What Batchmark asked for is in `$this->job`; see the
// article "Engines in any language".

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

    /** Every row of the source as an array, in the order of the entity's columns. */
    public function heldRows(): array
    {
        $source = new PDO('sqlite:' . $this->job['source']);
        $sql = "SELECT * FROM \"{$this->entity['source_table']}\" ORDER BY rowid";
        return $source->query($sql)->fetchAll(PDO::FETCH_NUM);
    }

    /** A parameter that is a number of rows. */
    public function number(string $parameter): int
    {
        $value = $this->job['parameters'][$parameter] ?? 'all';
        return $value === 'all' ? max(count($this->rows), 1) : $value;
    }

    /** The columns of the first uniqueness constraint; none without one. */
    public function unique(): array
    {
        return $this->entity['unique_together'][0] ?? [];
    }

    /** Whether the stored row stays if another has its unique values; otherwise it gets the other's values. */
    public function keepsStored(): bool
    {
        return !in_array($this->job['merge_policy'], ['object_trump', 'overwrite']);
    }

    /** The columns that are not in `unique`: those that a stored row gets of another. */
    public function plain(): array
    {
        return array_values(array_diff(array_column($this->columns, 'column'), $this->unique()));
    }

    /** Sets the pragmas and runs the first write, by a function that runs a statement. */
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

    /** The pragmas in force. */
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
     * What `hello` says of a strategy; the parameters with their defaults. One that gives up "no upsert" does not
     * handle rows whose unique values are taken.
     */
    public static function strategy(
        string $name, string $role, string $summary, array $givesUp, array $parameters = ['save_every' => 'all']
    ): array {
        return ['name' => $name, 'operation' => 'insert', 'role' => $role, 'summary' => $summary, 'rows' => 'held',
            'gives_up' => $givesUp, 'upserts' => !in_array('no upsert', $givesUp), 'parameters' => $parameters];
    }

    /** What the program says of itself. */
    public static function hello(string $engine, string $version, array $strategies): array
    {
        $library = (new PDO('sqlite::memory:'))->query('SELECT sqlite_version(), sqlite_source_id()')->fetch();
        return ['hello' => 1, 'engine' => $engine, 'version' => $version, 'runtime' => 'PHP ' . PHP_VERSION,
            'sqlite' => ['version' => $library[0], 'source_id' => $library[1]], 'strategies' => $strategies];
    }

    /** The version of a package of Debian, for a library that does not say its own. */
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

    /** Answers until Batchmark closes. */
    public static function serve(array $hello): void
    {
        // PDO binds a float as text: with as many digits as SQLite needs to read it to the last bit.
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
