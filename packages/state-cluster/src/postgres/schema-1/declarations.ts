/** Makes collections known, and indexes what stands as one declaration has it. */
export const declarations = (s: string): string => `
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
`
