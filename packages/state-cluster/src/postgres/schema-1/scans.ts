/** The pages of an index. */
export const scans = (s: string): string => `
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
