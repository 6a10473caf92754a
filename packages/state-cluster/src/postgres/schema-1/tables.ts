/** The tables, and how the tokens of writes are kept. */
export const tables = (s: string): string => `
CREATE TABLE ${s}.facts (name text PRIMARY KEY, value text NOT NULL);

CREATE SEQUENCE ${s}.revisions AS bigint;

CREATE TABLE ${s}.collections (n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);

CREATE SEQUENCE ${s}.index_numbers AS int;

-- indexes: the numbers of its indexes; built: the last id up to which rows are in them; seen_at: some host used it then.
CREATE TABLE ${s}.declarations (
  n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  collection int NOT NULL REFERENCES ${s}.collections,
  print text NOT NULL,
  indexes int[] NOT NULL,
  built bytea NOT NULL DEFAULT '',
  is_ready boolean NOT NULL DEFAULT false,
  seen_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (collection, print)
);

-- whole: the id where it is too long for an index. entries, keys: each index that the row is in, and its key there.
-- weight: what the row weighs; NaN where two declarations differ.
CREATE TABLE ${s}.records (
  collection int NOT NULL,
  id bytea NOT NULL,
  whole bytea,
  revision bigint NOT NULL,
  weight float8 NOT NULL,
  indexes int[] NOT NULL,
  keys bytea[] NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (collection, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- The key is cut where it is too long for an index; rest: what was cut off.
CREATE TABLE ${s}.entries (
  index int NOT NULL,
  key bytea NOT NULL,
  rest bytea NOT NULL,
  id bytea NOT NULL,
  weight float8 NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE INDEX entries_in_order ON ${s}.entries (index, key);

CREATE TABLE ${s}.stale (
  declaration int NOT NULL,
  id bytea NOT NULL,
  PRIMARY KEY (declaration, id)
);

-- What was written in the last minutes, by the token of its writer: who lost the answer asks again. Of three tables one is
-- written, one read, one emptied, so that nothing is left to vacuum.
${[0, 1, 2].map((n) => `CREATE TABLE ${s}.writes_${n} (token bigint PRIMARY KEY, revision bigint NOT NULL);`).join('\n')}
CREATE VIEW ${s}.writes AS ${[0, 1, 2].map((n) => `SELECT * FROM ${s}.writes_${n}`).join(' UNION ALL ')};

CREATE FUNCTION ${s}.remember(a_token bigint, a_revision bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CASE (extract(epoch FROM now())::bigint / 60) % 3
    WHEN 0 THEN INSERT INTO ${s}.writes_0 VALUES (a_token, a_revision);
    WHEN 1 THEN INSERT INTO ${s}.writes_1 VALUES (a_token, a_revision);
    ELSE INSERT INTO ${s}.writes_2 VALUES (a_token, a_revision);
  END CASE;
END $$;

-- Empties the table that is written next. Who still writes there is a minute late: it is waited for, but not for long;
-- where somebody reads it for longer, as a backup does, it is emptied another time.
CREATE FUNCTION ${s}.forget_writes() RETURNS void LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
BEGIN
  CASE (extract(epoch FROM now())::bigint / 60 + 1) % 3
    WHEN 0 THEN IF EXISTS (SELECT FROM ${s}.writes_0) THEN TRUNCATE ${s}.writes_0; END IF;
    WHEN 1 THEN IF EXISTS (SELECT FROM ${s}.writes_1) THEN TRUNCATE ${s}.writes_1; END IF;
    ELSE IF EXISTS (SELECT FROM ${s}.writes_2) THEN TRUNCATE ${s}.writes_2; END IF;
  END CASE;
EXCEPTION WHEN lock_not_available THEN NULL;
END $$;

CREATE TABLE ${s}.blobs (digest bytea PRIMARY KEY, size bigint NOT NULL);
CREATE TABLE ${s}.pieces (
  digest bytea NOT NULL REFERENCES ${s}.blobs ON DELETE CASCADE,
  at int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (digest, at)
);
ALTER TABLE ${s}.pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE ${s}.hosts (
  id text PRIMARY KEY,
  url text NOT NULL,
  life text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);

CREATE TYPE ${s}.outcome AS (said text, n bigint, whole bytea, body text);
`
