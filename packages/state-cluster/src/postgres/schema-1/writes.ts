/** The writes of records and blobs. */
export const writes = (s: string): string => `
-- A key without its rest: as much as an index takes.
CREATE FUNCTION ${s}.cut(key bytea) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT substring(key FROM 1 FOR 1800) $$;

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
`
