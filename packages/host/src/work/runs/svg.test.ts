import { describe, expect, it } from 'vitest'
import { svgFault } from './svg.ts'

const svg = (inner: string, head = '') =>
  Buffer.from(`${head}<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`)

it.each([
  ['shapes', svg('<path d="M0 0L9 9" style="fill:url(#g)"/><text>on the href of it</text>')],
  ['a reference within', svg('<use href="#a"/><use xlink:href=\'#b\'/><use href=" #c "/><a href=""/>')],
  ['an image that it carries', svg('<image href="data:image/png;base64,AAAA"/>')],
  ['styles', svg('<style>.a{fill:url( "#b" );background:url(data:image/gif;base64,AAAA)}</style>')],
  ['its XML line', svg('', '\ufeff<?xml version="1.0" encoding="UTF-8"?>')],
  [
    'its document type',
    svg(
      '',
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
    ),
  ],
  ['a description with a name that only begins alike', svg('<description/><objective/><scripted/>')],
])('takes %s', (_name, bytes) => expect(svgFault(bytes)).toBeNull())

describe.each<[string, string[]]>([
  [
    'must hold no script',
    [
      '<script>alert(1)</script>',
      '<SCRIPT href="#a"/>',
      '<svg:script\n>',
      '<script/>',
      '<rect onload="alert(1)"/>',
      '<rect\nonClick = "x"/>',
      '<rect a="b"onload="x"/>',
      '<a href="JavaScript:alert(1)"/>',
    ],
  ],
  [
    'must hold nothing but SVG',
    ['<foreignObject><p/></foreignObject>', '<svg:foreignObject >', '<iframe/>', '<object >'],
  ],
  ['must define no entities', ['<!ENTITY a "b">', '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>']],
  [
    'must have no document type but that of SVG',
    [
      '<!DOCTYPE svg SYSTEM "http://169.254.169.254/">',
      '<!DOCTYPE svg [ ]>',
      '<!DOCTYPE html>',
      '<!doctype svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://evil.org/">',
    ],
  ],
  [
    'must have no reference outside itself',
    [
      '<image xlink:href="http://169.254.169.254/"/>',
      '<image href="https://site.org/a.png"/>',
      '<image href="//site.org/a.png"/>',
      '<image href="a.png"/>',
      "<image href = 'file:///etc/passwd'/>",
      '<image href=" \n http://10.0.0.1/"/>',
      '<image href="&#104;ttp://10.0.0.1/"/>',
      '<image a:href="http://10.0.0.1/"/>',
      '<image href="data:image/svg+xml;base64,AAAA"/>',
      '<image href="data:text/html,x"/>',
      '<g xml:base="http://10.0.0.1/"/>',
      '<style>@import "http://10.0.0.1/";</style>',
      '<style>a{fill:url(http://10.0.0.1/)}</style>',
      '<style>a{fill:url( "//10.0.0.1/")}</style>',
      '<style>a{fill:image-set("a.png" 1x)}</style>',
      '<set attributeName="href" to="http://10.0.0.1/"/>',
      '<animate attributeName="xlink:href" values="http://10.0.0.1/"/>',
      '<?xml-stylesheet href="#a"?>',
    ],
  ],
])('%s', (sentence, inners) => {
  it.each(inners.map((inner) => [inner]))('%s', (inner) => expect(svgFault(svg(inner))).toBe(sentence))
})

it.each([
  ['Latin-1', Buffer.from('<svg>\xe4</svg>', 'latin1')],
  ['UTF-7 by its XML line', svg('', '<?xml version="1.0" encoding="UTF-7"?>')],
  ['UTF-16 by its XML line', svg('', "\n<?xml version='1.0' encoding = 'utf-16'?>")],
])('%s must be written in UTF-8', (_name, bytes) => expect(svgFault(bytes)).toBe('must be written in UTF-8'))
