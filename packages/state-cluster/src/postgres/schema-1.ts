/**
 * The first schema, in the PostgreSQL schema `s`. A record has one row, and for each index that it is in one entry. Both
 * name it by `id`, which is short enough for an index. A declaration is one way to index a collection: hosts of two
 * versions may have two, and a write of one leaves a note for the other (`stale`) to index the row in its own way.
 */
export const schema1 = (s: string): string => `
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

-- A key without its rest: as much as an index takes.
CREATE FUNCTION ${s}.cut(key bytea) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT substring(key FROM 1 FOR 1800) $$;

-- The number of a collection, made where there is none.
CREATE FUNCTION ${s}.collection_of(a_name text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  found int;
BEGIN
  LOOP
    SELECT n INTO found FROM ${s}.collections WHERE name = a_name;
    IF found IS NOT NULL THEN RETURN found; END IF;
    INSERT INTO ${s}.collections (name) VALUES (a_name) ON CONFLICT DO NOTHING;
  END LOOP;
END $$;

-- Makes a declaration known. The lock keeps writers out until they know it too: what they write from then on, they note.
CREATE FUNCTION ${s}.declare(a_collection text, a_lock bigint, a_print text, a_count int)
RETURNS ${s}.declarations LANGUAGE plpgsql AS $$
DECLARE
  owner int := ${s}.collection_of(a_collection);
  found ${s}.declarations;
BEGIN
  SELECT * INTO found FROM ${s}.declarations WHERE collection = owner AND print = a_print;
  IF found.is_ready THEN RETURN found; END IF;
  PERFORM pg_advisory_xact_lock(a_lock);
  SELECT * INTO found FROM ${s}.declarations WHERE collection = owner AND print = a_print;
  IF found.n IS NULL THEN
    INSERT INTO ${s}.declarations (collection, print, indexes, is_ready)
    VALUES (
      owner, a_print,
      ARRAY(SELECT nextval('${s}.index_numbers')::int FROM generate_series(1, a_count)),
      NOT EXISTS (SELECT FROM ${s}.records WHERE collection = owner)
    )
    RETURNING * INTO found;
  END IF;
  RETURN found;
END $$;

-- The declarations that a write of one must leave notes for. Throws where its own has been forgotten.
CREATE FUNCTION ${s}.others_of(a_declaration int, a_collection int) RETURNS int[] LANGUAGE plpgsql AS $$
DECLARE
  all_of_them int[];
BEGIN
  SELECT array_agg(n) INTO all_of_them FROM ${s}.declarations WHERE collection = a_collection;
  IF a_declaration = ANY (all_of_them) THEN RETURN array_remove(all_of_them, a_declaration); END IF;
  RAISE EXCEPTION 'the declaration % is forgotten', a_declaration USING ERRCODE = 'SV001';
END $$;

-- Takes a row out of indexes.
CREATE FUNCTION ${s}.take_entries(an_id bytea, a_indexes int[], a_keys bytea[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(a_indexes) LOOP
    DELETE FROM ${s}.entries WHERE index = a_indexes[i] AND key = ${s}.cut(a_keys[i]) AND id = an_id;
  END LOOP;
END $$;
-- The caps of a write. A cap is: its index, what its keys begin with and end before, how much it allows, and whether it
-- holds weight. Throws where an entry may be missing; returns the place of the first that is full, or 0.
CREATE FUNCTION ${s}.full_cap(
  a_declaration int, an_id bytea, old_indexes int[], old_keys bytea[], new_indexes int[], new_keys bytea[], a_weight float8,
  cap_index int[], cap_low bytea[], cap_high bytea[], cap_max float8[], cap_weighs boolean[]
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  was boolean;
  now_in boolean;
  before float8;
  standing float8;
BEGIN
  IF EXISTS (SELECT FROM ${s}.stale WHERE declaration = a_declaration) THEN
    RAISE EXCEPTION 'rows are not indexed yet' USING ERRCODE = 'SV002';
  END IF;
  FOR c IN 1 .. cardinality(cap_index) LOOP
    now_in := EXISTS (SELECT FROM unnest(new_indexes, new_keys) AS e (i, k)
      WHERE i = cap_index[c] AND k >= cap_low[c] AND k < cap_high[c]);
    CONTINUE WHEN NOT now_in;
    was := EXISTS (SELECT FROM unnest(old_indexes, old_keys) AS e (i, k)
      WHERE i = cap_index[c] AND k >= cap_low[c] AND k < cap_high[c]);
    IF cap_weighs[c] THEN
      before := 0;
      IF was THEN
        SELECT coalesce(sum(weight), 0) INTO before FROM ${s}.entries
        WHERE index = cap_index[c] AND id = an_id AND key IN (SELECT ${s}.cut(k) FROM unnest(old_indexes, old_keys) AS e (i, k) WHERE i = cap_index[c]);
      END IF;
      CONTINUE WHEN a_weight <= before;
      SELECT coalesce(sum(weight), 0) INTO standing FROM ${s}.entries
      WHERE index = cap_index[c] AND key >= ${s}.cut(cap_low[c]) AND key <= ${s}.cut(cap_high[c])
        AND key || rest >= cap_low[c] AND key || rest < cap_high[c];
      IF standing + a_weight - before > cap_max[c] THEN RETURN c; END IF;
    ELSIF NOT was THEN
      SELECT count(*) INTO standing FROM (
        SELECT FROM ${s}.entries
        WHERE index = cap_index[c] AND key >= ${s}.cut(cap_low[c]) AND key <= ${s}.cut(cap_high[c])
          AND key || rest >= cap_low[c] AND key || rest < cap_high[c]
        LIMIT least(greatest(cap_max[c], 0), 1e15)::bigint
      ) AS those;
      IF standing >= cap_max[c] THEN RETURN c; END IF;
    END IF;
  END LOOP;
  RETURN 0;
END $$;

-- Locks: the collection's, shared; then that of the id, so that two inserts of it are one after the other and revisions
-- grow; then those of the caps, in the order of their numbers, so that no two writes wait for each other.
CREATE FUNCTION ${s}.insert_row(
  a_declaration int, a_collection int, collection_lock bigint, id_lock bigint, cap_locks bigint[],
  a_token bigint, is_again boolean, an_id bytea, a_whole bytea, a_weight float8, a_indexes int[], a_keys bytea[], a_body text,
  cap_index int[], cap_low bytea[], cap_high bytea[], cap_max float8[], cap_weighs boolean[]
) RETURNS ${s}.outcome LANGUAGE plpgsql AS $$
DECLARE
  there ${s}.records;
  others int[];
  cap int := 0;
  next bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(collection_lock);
  PERFORM pg_advisory_xact_lock(id_lock);
  IF is_again THEN
    SELECT revision INTO next FROM ${s}.writes WHERE token = a_token;
    IF FOUND THEN RETURN ROW('ok', next, NULL, NULL)::${s}.outcome; END IF;
  END IF;
  SELECT * INTO there FROM ${s}.records WHERE collection = a_collection AND id = an_id;
  IF FOUND THEN
    RETURN ROW('exists', there.revision, coalesce(there.whole, there.id), there.body)::${s}.outcome;
  END IF;
  others := ${s}.others_of(a_declaration, a_collection);
  IF cardinality(cap_index) > 0 THEN
    FOR c IN 1 .. cardinality(cap_locks) LOOP PERFORM pg_advisory_xact_lock(cap_locks[c]); END LOOP;
    cap := ${s}.full_cap(a_declaration, an_id, '{}', '{}', a_indexes, a_keys, a_weight,
      cap_index, cap_low, cap_high, cap_max, cap_weighs);
    IF cap > 0 THEN RETURN ROW('full', cap, NULL, NULL)::${s}.outcome; END IF;
  END IF;
  next := nextval('${s}.revisions');
  INSERT INTO ${s}.records (collection, id, whole, revision, weight, indexes, keys, body)
  VALUES (a_collection, an_id, a_whole, next, a_weight, a_indexes, a_keys, a_body);
  FOR i IN 1 .. cardinality(a_indexes) LOOP
    INSERT INTO ${s}.entries VALUES (a_indexes[i], ${s}.cut(a_keys[i]), substring(a_keys[i] FROM 1801), an_id, a_weight);
  END LOOP;
  IF cardinality(others) > 0 THEN
    -- A note of the row before it is taken: index_rows may be about to remove it.
    INSERT INTO ${s}.stale SELECT unnest(others), an_id ON CONFLICT (declaration, id) DO UPDATE SET id = an_id;
  END IF;
  PERFORM ${s}.remember(a_token, next);
  RETURN ROW('ok', next, NULL, NULL)::${s}.outcome;
END $$;

-- Puts a row where one declaration has it now; where others have it, it stays until they look. The row is locked.
CREATE FUNCTION ${s}.move_row(there ${s}.records, others int[], a_weight float8, a_indexes int[], a_keys bytea[])
RETURNS ${s}.records LANGUAGE plpgsql AS $$
DECLARE
  kept_indexes int[] := '{}';
  kept_keys bytea[] := '{}';
  moved ${s}.records := there;
  at int;
BEGIN
  IF cardinality(others) > 0 THEN
    SELECT coalesce(array_agg(i), '{}'), coalesce(array_agg(k), '{}') INTO kept_indexes, kept_keys
    FROM unnest(there.indexes, there.keys) AS e (i, k)
    WHERE EXISTS (SELECT FROM ${s}.declarations WHERE n = ANY (others) AND i = ANY (indexes));
  END IF;
  moved.indexes := a_indexes || kept_indexes;
  moved.keys := a_keys || kept_keys;
  FOR i IN 1 .. cardinality(there.indexes) LOOP
    at := array_position(moved.indexes, there.indexes[i]);
    IF at IS NULL OR moved.keys[at] <> there.keys[i] THEN
      DELETE FROM ${s}.entries WHERE index = there.indexes[i] AND key = ${s}.cut(there.keys[i]) AND id = there.id;
    ELSIF at <= cardinality(a_indexes) AND there.weight IS DISTINCT FROM a_weight THEN
      UPDATE ${s}.entries SET weight = a_weight
      WHERE index = there.indexes[i] AND key = ${s}.cut(there.keys[i]) AND id = there.id;
    END IF;
  END LOOP;
  FOR i IN 1 .. cardinality(a_indexes) LOOP
    at := array_position(there.indexes, a_indexes[i]);
    IF at IS NULL OR there.keys[at] <> a_keys[i] THEN
      INSERT INTO ${s}.entries VALUES (a_indexes[i], ${s}.cut(a_keys[i]), substring(a_keys[i] FROM 1801), there.id, a_weight);
    END IF;
  END LOOP;
  moved.weight := a_weight;
  RETURN moved;
END $$;

CREATE FUNCTION ${s}.swap_row(
  a_declaration int, a_collection int, collection_lock bigint, cap_locks bigint[],
  a_token bigint, is_again boolean, an_id bytea, expected bigint, a_weight float8, a_indexes int[], a_keys bytea[], a_body text,
  cap_index int[], cap_low bytea[], cap_high bytea[], cap_max float8[], cap_weighs boolean[]
) RETURNS ${s}.outcome LANGUAGE plpgsql AS $$
DECLARE
  there ${s}.records;
  others int[];
  cap int := 0;
  next bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(collection_lock);
  IF cardinality(cap_index) > 0 THEN
    FOR c IN 1 .. cardinality(cap_locks) LOOP PERFORM pg_advisory_xact_lock(cap_locks[c]); END LOOP;
  END IF;
  SELECT * INTO there FROM ${s}.records WHERE collection = a_collection AND id = an_id FOR UPDATE;
  IF there.revision IS DISTINCT FROM expected THEN
    IF is_again THEN
      SELECT revision INTO next FROM ${s}.writes WHERE token = a_token;
      IF FOUND THEN RETURN ROW('ok', next, NULL, NULL)::${s}.outcome; END IF;
    END IF;
    RETURN ROW('lost', 0, NULL, NULL)::${s}.outcome;
  END IF;
  others := ${s}.others_of(a_declaration, a_collection);
  IF cardinality(cap_index) > 0 THEN
    cap := ${s}.full_cap(a_declaration, an_id, there.indexes, there.keys, a_indexes, a_keys, a_weight,
      cap_index, cap_low, cap_high, cap_max, cap_weighs);
    IF cap > 0 THEN RETURN ROW('full', cap, NULL, NULL)::${s}.outcome; END IF;
  END IF;
  there := ${s}.move_row(there, others, a_weight, a_indexes, a_keys);
  next := nextval('${s}.revisions');
  UPDATE ${s}.records SET revision = next, weight = a_weight, body = a_body,
    indexes = there.indexes, keys = there.keys
  WHERE collection = a_collection AND id = an_id;
  IF cardinality(others) > 0 THEN
    INSERT INTO ${s}.stale SELECT unnest(others), an_id ON CONFLICT DO NOTHING;
  END IF;
  PERFORM ${s}.remember(a_token, next);
  RETURN ROW('ok', next, NULL, NULL)::${s}.outcome;
END $$;

CREATE FUNCTION ${s}.remove_row(
  a_collection int, collection_lock bigint, a_token bigint, is_again boolean, an_id bytea, expected bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  gone ${s}.records;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(collection_lock);
  DELETE FROM ${s}.records WHERE collection = a_collection AND id = an_id AND revision = expected RETURNING * INTO gone;
  IF gone.id IS NULL THEN
    RETURN is_again AND EXISTS (SELECT FROM ${s}.writes WHERE token = a_token);
  END IF;
  PERFORM ${s}.take_entries(an_id, gone.indexes, gone.keys);
  PERFORM ${s}.remember(a_token, expected);
  RETURN true;
END $$;

CREATE FUNCTION ${s}.remove_blob(a_token bigint, is_again boolean, a_digest bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ${s}.blobs WHERE digest = a_digest;
  IF FOUND THEN
    PERFORM ${s}.remember(a_token, 0);
    RETURN true;
  END IF;
  RETURN is_again AND EXISTS (SELECT FROM ${s}.writes WHERE token = a_token);
END $$;

-- Indexes rows as a declaration has them, but those that were written since they were read. The keys of all of them are
-- in one list, of which each takes its count. Sorted by id, so that no two hosts wait for each other.
CREATE FUNCTION ${s}.index_rows(
  a_declaration int, a_collection int, collection_lock bigint, a_built bytea,
  ids bytea[], revisions bigint[], weights float8[], counts int[], a_indexes int[], a_keys bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  others int[];
  there ${s}.records;
  moved ${s}.records;
  taken int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(collection_lock);
  others := ${s}.others_of(a_declaration, a_collection);
  FOR r IN 1 .. cardinality(ids) LOOP
    SELECT * INTO there FROM ${s}.records WHERE collection = a_collection AND id = ids[r] FOR UPDATE;
    IF there.revision IS NOT DISTINCT FROM revisions[r] THEN
      IF there.revision IS NOT NULL THEN
        moved := ${s}.move_row(there, others, weights[r],
          a_indexes[taken + 1 : taken + counts[r]], a_keys[taken + 1 : taken + counts[r]]);
        UPDATE ${s}.records SET indexes = moved.indexes, keys = moved.keys,
          weight = CASE WHEN weight = weights[r] OR others = '{}' THEN weights[r] ELSE 'NaN' END
        WHERE collection = a_collection AND id = ids[r];
      END IF;
      -- There is no row to lock: who inserts one has taken the note, and is seen after it, or waits for it.
      IF there.revision IS NULL THEN
        PERFORM FROM ${s}.stale WHERE declaration = a_declaration AND id = ids[r] FOR UPDATE;
      END IF;
      DELETE FROM ${s}.stale WHERE declaration = a_declaration AND id = ids[r]
        AND (there.revision IS NOT NULL OR NOT EXISTS (SELECT FROM ${s}.records WHERE collection = a_collection AND id = ids[r]));
    END IF;
    taken := taken + counts[r];
  END LOOP;
  IF a_built IS NOT NULL THEN
    UPDATE ${s}.declarations SET built = greatest(built, a_built) WHERE n = a_declaration;
  END IF;
END $$;

-- Forgets a declaration that no host has used for an hour, with its entries.
CREATE FUNCTION ${s}.forget_declarations() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  old ${s}.declarations;
BEGIN
  FOR old IN DELETE FROM ${s}.declarations WHERE seen_at < now() - interval '1 hour' RETURNING * LOOP
    DELETE FROM ${s}.entries WHERE index = ANY (old.indexes);
    DELETE FROM ${s}.stale WHERE declaration = old.n;
  END LOOP;
END $$;

-- A page of an index, in its order: one row more than asked for tells that others follow. One row without a key says why
-- there is no page. Without statistics, or with old ones, PostgreSQL would sort the whole index: it is not let to.
CREATE TYPE ${s}.scanned AS (trouble text, key bytea, rest bytea, id bytea, revision bigint, body text);
${scan(s, 'asc')}
${scan(s, 'desc')}
`

const scan = (s: string, order: 'asc' | 'desc') => `
CREATE FUNCTION ${s}.scan_${order}(
  a_declaration int, a_collection int, an_index int, low_cut bytea, high_cut bytea, low bytea, high bytea, a_limit bigint
) RETURNS SETOF ${s}.scanned LANGUAGE plpgsql STABLE
SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ${s}.declarations WHERE n = a_declaration) THEN
    RETURN NEXT ROW('forgotten', NULL, NULL, NULL, NULL, NULL)::${s}.scanned;
  ELSIF EXISTS (SELECT FROM ${s}.stale WHERE declaration = a_declaration) THEN
    RETURN NEXT ROW('stale', NULL, NULL, NULL, NULL, NULL)::${s}.scanned;
  ELSE
    RETURN QUERY SELECT NULL, e.key, e.rest, coalesce(r.whole, r.id), r.revision, r.body FROM (
      SELECT i.key, i.rest, i.id FROM ${s}.entries AS i
      WHERE i.index = an_index AND i.key >= low_cut AND i.key <= high_cut
        AND i.key || i.rest >= low AND i.key || i.rest < high
      ORDER BY i.key ${order}, i.rest ${order} LIMIT a_limit
    ) AS e JOIN ${s}.records AS r ON r.collection = a_collection AND r.id = e.id
    ORDER BY e.key ${order}, e.rest ${order};
  END IF;
END $$;`
