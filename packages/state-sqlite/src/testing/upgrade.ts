// Upgrades a records file by a step that takes its time: `node upgrade.ts FILE`. Prints `upgrading` as it begins.
import { openDatabase } from '../threads/database.ts'
import { recordsFormat } from '../threads/format.ts'

/** Rows that the step makes; the test counts them. */
const STEP_ROWS = 300_000

const step = `
  CREATE TABLE more (n INTEGER) STRICT;
  INSERT INTO more
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${STEP_ROWS}) SELECT n FROM numbers;
  CREATE INDEX more_by_n ON more (n);`

const [file = ''] = process.argv.slice(2)
process.stdout.write('upgrading\n')
const format = { ...recordsFormat, steps: [...recordsFormat.steps, step] }
openDatabase({ path: file, format, durability: 'power' }).close()
process.stdout.write('upgraded\n')
