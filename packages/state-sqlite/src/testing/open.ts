// Opens a folder, as another user where one is named, and keeps it: `node open.ts DIR [UID]`. Prints a line of JSON.
import { type FolderError, openFolder } from '../index.ts'

const [dir = '', uid] = process.argv.slice(2)
if (uid !== undefined) {
  process.setgroups?.([])
  process.setgid?.(Number(uid))
  process.setuid?.(Number(uid))
}
try {
  await openFolder(dir)
  console.log(JSON.stringify({ opened: dir }))
  process.stdin.resume()
} catch (error) {
  const { name, code, message, hint } = error as FolderError
  console.log(JSON.stringify({ name, code, message, hint }))
}
