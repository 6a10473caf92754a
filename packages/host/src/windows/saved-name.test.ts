import { expect, test } from 'vitest'
import { savedName } from './saved-name.ts'

test.each([
  ['report.csv', 'report.csv'],
  ['Bücher 2026.pdf', 'Bücher 2026.pdf'],
  ['../../.bashrc', '_.._.bashrc'],
  ['C:\\autoexec.bat', 'C__autoexec.bat'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['invoice.pdf                                 .exe', 'invoice.pdf .exe'],
  ['a\u200bb\ufeff.txt', 'ab.txt'],
  ['a\r\nContent-Type: text/html', 'a__Content-Type_ text_html'],
  ['a?b*c|d"e<f>', 'a_b_c_d_e_f_'],
  ['NUL', '_NUL'],
  ['com1.txt', '_com1.txt'],
  ['console.log', 'console.log'],
  ['. . .', 'download'],
  ['\u200b', 'download'],
  ['name. . ', 'name'],
  ['\ud800.txt', '\ufffd.txt'],
])('a file called %j is saved as %j', (name, saved) => {
  expect(savedName(name)).toBe(saved)
})
