import { readFileSync } from 'node:fs'

/** A file of `data/specimens`, and what a person sees in it. */
export type Specimen = [
  file: string,
  encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252',
  separator: string,
  /** Rows above the header, and below it. */
  rows: [above: number, below: number],
  /** The header; the names of columns of numbers begin with `=`. */
  columns: string,
]

/** Tables as programs write them; where two are alike, one of their kinds of line ends, quotes or marks differs. */
export const SPECIMENS: Specimen[] = [
  ['awk.tsv', 'UTF-8', '\t', [0, 3], '=id / name / =size'],
  [
    'bank-pairs.csv',
    'Windows-1252',
    ';',
    [4, 2],
    'Buchungstag / Wertstellung / Buchungstext / Auftraggeber / Verwendungszweck / =Betrag (EUR)',
  ],
  [
    'bank-sentences.csv',
    'Windows-1252',
    ';',
    [5, 2],
    'Buchung / Valuta / Empfänger / Text / Zweck / =Saldo / Währung / =Betrag',
  ],
  ['blanks-around.csv', 'UTF-8', ',', [0, 2], 'name / =price / note'],
  ['comments.csv', 'UTF-8', ',', [2, 2], '=time / room / =temperature / =humidity / =co2 / =people / =light'],
  ['decimal-commas-everywhere.csv', 'UTF-8', ';', [0, 3], '=1a / =2a'],
  ['excel-french-utf8.csv', 'UTF-8', ';', [0, 2], 'Produit / =Quantité / =Prix'],
  ['excel-french.csv', 'Windows-1252', ';', [0, 2], 'Produit / =Quantité / =Prix'],
  ['excel-german.csv', 'Windows-1252', ';', [0, 3], 'Datum / Konto / =Betrag'],
  ['excel-mac.csv', 'Windows-1252', ';', [0, 2], 'Name / =Wert'],
  ['excel-sep-line-tab.csv', 'UTF-8', '\t', [1, 1], 'name / =price'],
  ['excel-sep-line.csv', 'UTF-8', ';', [1, 2], 'name / =price'],
  ['excel-sheet-with-title.csv', 'Windows-1252', ';', [2, 2], 'Name / Ort / =Menge / =Preis'],
  ['excel-unicode-text.txt', 'UTF-16', '\t', [0, 2], 'Name / =Preis'],
  ['german-points.tsv', 'UTF-8', '\t', [0, 2], 'Stadt / =Einwohner / =Anteil / =Version'],
  ['google-sheets.csv', 'UTF-8', ',', [0, 2], 'Name / Note / =Price'],
  ['iconv-latin1.csv', 'Windows-1252', ';', [0, 2], 'Name / =Anzahl / =Preis'],
  ['iconv-utf16-without-mark.csv', 'UTF-16', ';', [0, 3], 'Datum / Konto / =Betrag'],
  ['iconv-utf16.csv', 'UTF-16', ';', [0, 2], 'Name / =Anzahl / =Preis'],
  ['libreoffice-utf16.csv', 'UTF-16', ',', [0, 1], 'Name / =Anzahl'],
  ['libreoffice.csv', 'UTF-8', ';', [0, 2], 'Name / =Anzahl / =Preis'],
  ['mixed-line-ends.csv', 'UTF-8', ';', [0, 3], '=a / b'],
  ['numbers-mac.csv', 'UTF-8', ';', [0, 2], 'Name / =Größe / =Gewicht'],
  ['numpy-savetxt.csv', 'UTF-8', ',', [0, 2], '=# time / =value'],
  ['pandas-pipe.csv', 'UTF-8', '|', [0, 2], 'name / =price / tags'],
  ['pandas-semicolon-decimal.csv', 'UTF-8', ';', [0, 2], 'name / =price'],
  ['pandas-semicolon.csv', 'UTF-8', ';', [0, 2], '=column 1 / name / =price'],
  ['postgres-copy-csv.csv', 'UTF-8', ',', [0, 2], 'name / =price / day'],
  ['postgres-copy-semicolon.csv', 'UTF-8', ';', [0, 2], 'name / =price / day'],
  ['postgres-copy-text.tsv', 'UTF-8', '\t', [0, 2], 'name / =price / day'],
  ['psql-unaligned.txt', 'UTF-8', '|', [0, 1], 'name / =price'],
  ['python-excel-tab.csv', 'UTF-8', '\t', [0, 3], 'Name / Stadt / =Preis'],
  ['python-excel.csv', 'UTF-8', ',', [0, 3], 'Name / Stadt / =Preis'],
  ['python-pipe.csv', 'UTF-8', '|', [0, 3], 'Name / Stadt / =Preis'],
  ['python-quote-nonnumeric.csv', 'UTF-8', ',', [0, 3], 'Name / Stadt / =Preis'],
  ['python-semicolon-quote-all.csv', 'UTF-8', ';', [0, 3], 'Name / Stadt / =Preis'],
  ['python-unix.csv', 'UTF-8', ',', [0, 3], 'Name / Stadt / =Preis'],
  ['r-write-csv.csv', 'UTF-8', ',', [0, 2], '=column 1 / name / =price'],
  ['r-write-csv2.csv', 'UTF-8', ';', [0, 2], '=column 1 / name / =price'],
  ['sap-spreadsheet.txt', 'Windows-1252', '\t', [1, 3], 'column 1 / =Konto / Text / Belegdatum / =Betrag'],
  ['sqlite-csv.csv', 'UTF-8', ',', [0, 3], 'name / =price / note'],
  ['sqlite-list.txt', 'UTF-8', '|', [0, 2], 'name / =price'],
  ['sqlite-tabs.tsv', 'UTF-8', '\t', [0, 2], 'name / =price'],
  ['texts-with-other-separators.csv', 'UTF-8', ',', [0, 2], 'name / tags / path'],
  ['title.csv', 'UTF-8', ',', [1, 2], 'name / =price'],
]

/** Reads the bytes of a specimen. */
export const specimen = (file: string): Buffer =>
  readFileSync(new URL(`../data/specimens/${file}`, import.meta.url))
