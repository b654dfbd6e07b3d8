import { execFileSync } from 'node:child_process'

/*
 * What a program can find of a PDF file's faults against PDF/UA (ISO 14289-1): qpdf reads the file and knows nothing of what drew it,
 * and here its objects are held to the clauses.
 */

type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | { readonly [name: string]: Value }
type Dictionary = Readonly<Record<string, Value>>

interface Stored {
  readonly value?: Value
  readonly stream?: { readonly dict: Dictionary; readonly data?: string }
}

/** A part of the tree that says what is a heading, what a paragraph. */
interface Element {
  readonly reference: string
  readonly type: string
  readonly dictionary: Dictionary
  readonly kids: readonly Value[]
}

/** The file's objects, by their references. */
class Objects {
  readonly #stored: Readonly<Record<string, Stored>>

  constructor(stored: Readonly<Record<string, Stored>>) {
    this.#stored = stored
  }

  /** What a value is, wherever it is written. */
  read(value: Value | undefined): Value {
    if (typeof value !== 'string' || !/^\d+ \d+ R$/.test(value)) return value ?? null
    const stored = this.#stored[`obj:${value}`]
    return stored?.stream?.dict ?? this.read(stored?.value)
  }

  dictionary(value: Value | undefined): Dictionary {
    const found = this.read(value)
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as Dictionary)
      : {}
  }

  list(value: Value | undefined): readonly Value[] {
    const found = this.read(value)
    return Array.isArray(found) ? (found as readonly Value[]) : []
  }

  text(value: Value | undefined): string {
    const found = this.read(value)
    return typeof found === 'string' ? found.replace(/^[ub]:/, '') : ''
  }

  bytes(reference: Value | undefined): Buffer {
    const stored = typeof reference === 'string' ? this.#stored[`obj:${reference}`] : undefined
    return Buffer.from(stored?.stream?.data ?? '', 'base64')
  }

  get catalog(): Dictionary {
    return this.dictionary(this.dictionary(this.#stored['trailer']?.value)['/Root'])
  }

  get isEncrypted(): boolean {
    return '/Encrypt' in this.dictionary(this.#stored['trailer']?.value)
  }
}

/** The faults of the file against PDF/UA, each with its clause; none are found where it keeps what can be checked. */
export function pdfUaFaults(file: string): readonly string[] {
  const options = ['--json=2', '--json-stream-data=inline', '--decode-level=generalized']
  const json = execFileSync('qpdf', [...options, file], { maxBuffer: 100_000_000 })
  const { qpdf } = JSON.parse(json.toString()) as {
    readonly qpdf: readonly [unknown, Readonly<Record<string, Stored>>]
  }
  const objects = new Objects(qpdf[1])
  const faults = new Set<string>()
  const elements = elementsOf(objects, objects.dictionary(objects.catalog['/StructTreeRoot']))
  const fault = (clause: string, what: string) => faults.add(`${clause} ${what}`)
  checkDocument(objects, fault)
  checkElements(objects, elements, fault)
  checkPages(objects, elements, fault)
  return [...faults]
}

type Fault = (clause: string, what: string) => void

function checkDocument(objects: Objects, fault: Fault): void {
  const { catalog } = objects
  const metadata = objects.bytes(catalog['/Metadata']).toString()
  const marks = objects.dictionary(catalog['/MarkInfo'])
  if (!/<pdfuaid:part>1<\/pdfuaid:part>/.test(metadata)) fault('5', 'does not say what it keeps')
  if (marks['/Marked'] !== true || marks['/Suspects'] === true) fault('7.1', 'is not tagged')
  if (!/<dc:title>\s*<rdf:Alt>\s*<rdf:li [^>]*>[^<]+</.test(metadata)) fault('7.1', 'has no title')
  const preferences = objects.dictionary(catalog['/ViewerPreferences'])
  if (preferences['/DisplayDocTitle'] !== true) fault('7.1', 'does not show its title')
  if (objects.text(catalog['/Lang']) === '') fault('7.2', 'has no language')
  if (objects.isEncrypted) fault('7.16', 'is encrypted')
  const files = objects.dictionary(objects.dictionary(catalog['/Names'])['/EmbeddedFiles'])
  for (const [index, file] of objects.list(files['/Names']).entries()) {
    if (index % 2 === 0) continue
    const { '/F': name, '/UF': unicodeName } = objects.dictionary(file)
    if (!objects.text(name) || !objects.text(unicodeName)) fault('7.11', 'a file has no name')
  }
}

/** Every element of the tree, in the order in which they are read. */
function elementsOf(objects: Objects, root: Dictionary): readonly Element[] {
  return kidsOf(objects, root).flatMap((kid) => {
    const dictionary = objects.dictionary(kid)
    if (typeof kid !== 'string' || !('/S' in dictionary)) return []
    const kids = kidsOf(objects, dictionary)
    const own = { reference: kid, type: objects.text(dictionary['/S']), dictionary, kids }
    return [own, ...elementsOf(objects, dictionary)]
  })
}

function kidsOf(objects: Objects, { '/K': kids = null }: Dictionary): readonly Value[] {
  const found = objects.read(kids)
  if (Array.isArray(found)) return found as readonly Value[]
  return found === null ? [] : [kids]
}

const standardTypes = ['/Document', '/Sect', '/H1', '/H2', '/H3', '/P', '/Link', '/Figure']

function checkElements(objects: Objects, elements: readonly Element[], fault: Fault): void {
  let level = 0
  for (const { type, dictionary } of elements) {
    if (!standardTypes.includes(type)) fault('7.1', `${type} is not looked at here`)
    const heading = Number(/^\/H(\d)$/.exec(type)?.[1] ?? level)
    if (heading > level + 1) fault('7.4.2', `${type} comes after a heading of level ${level}`)
    level = heading
    if (type === '/Figure' && !objects.text(dictionary['/Alt'])) {
      fault('7.3', 'a figure says nothing')
    }
  }
}

function checkPages(objects: Objects, elements: readonly Element[], fault: Fault): void {
  const root = objects.dictionary(objects.catalog['/StructTreeRoot'])
  const parents = parentsOf(objects, root['/ParentTree'])
  for (const reference of pagesOf(objects, objects.catalog['/Pages'])) {
    const page = objects.dictionary(reference)
    const own = objects.list(parents.get(page['/StructParents'] ?? null))
    const told = checkContent(objects, page, fault)
    for (const mark of told) {
      const parent = elements.find((element) => element.reference === own[mark])
      if (!parent || !holds(objects, parent, { mark, page: reference })) {
        fault('7.1', `mark ${mark} belongs to nothing`)
      }
    }
    const annotations = objects.list(page['/Annots'])
    if (annotations.length > 0 && page['/Tabs'] !== '/S') fault('7.18.3', 'a page has no tab order')
    for (const annotation of annotations) {
      const {
        '/Subtype': type,
        '/Contents': contents,
        '/StructParent': at = null,
      } = objects.dictionary(annotation)
      if (type !== '/Link') fault('7.18.1', 'an annotation of this kind is not looked at here')
      if (!objects.text(contents)) fault('7.18.5', 'a link says nothing')
      const parent = elements.find((element) => element.reference === parents.get(at))
      const isHeld = parent?.kids.some((kid) => {
        const { '/Type': kind, '/Obj': object } = objects.dictionary(kid)
        return kind === '/OBJR' && object === annotation
      })
      if (parent?.type !== '/Link' || !isHeld) fault('7.18.5', 'a link is not in the tree')
    }
  }
}

/** Whether the element holds the mark, by its number where the page is its own, else by a reference to both. */
function holds(
  objects: Objects,
  { dictionary, kids }: Element,
  { mark, page }: { readonly mark: number; readonly page: Value },
): boolean {
  return kids.some((kid) => {
    if (kid === mark) return dictionary['/Pg'] === page
    const { '/MCID': id, '/Pg': own = dictionary['/Pg'] } = objects.dictionary(kid)
    return id === mark && own === page
  })
}

function pagesOf(objects: Objects, reference: Value | undefined): readonly Value[] {
  const { '/Type': type, '/Kids': kids } = objects.dictionary(reference)
  if (type === '/Page') return [reference ?? null]
  return objects.list(kids).flatMap((kid) => pagesOf(objects, kid))
}

/** What belongs to which element, by the numbers that pages and links have in the tree. */
function parentsOf(objects: Objects, tree: Value | undefined): ReadonlyMap<Value, Value> {
  const { '/Nums': numbers, '/Kids': kids } = objects.dictionary(tree)
  const own = objects.list(numbers)
  const found = new Map<Value, Value>()
  for (let i = 0; i < own.length; i += 2) found.set(own[i] ?? null, own[i + 1] ?? null)
  for (const kid of objects.list(kids)) {
    for (const [number, value] of parentsOf(objects, kid)) found.set(number, value)
  }
  return found
}

const painting = /^(?:[fF]\*?|[bB]\*?|[sS]|sh|Do|Tj|TJ|'|"|BI)$/

/** Looks at all that a page paints; answers the numbers of its marks. */
function checkContent(objects: Objects, page: Dictionary, fault: Fault): ReadonlySet<number> {
  const contents = Array.isArray(objects.read(page['/Contents']))
    ? objects.list(page['/Contents'])
    : [page['/Contents'] ?? null]
  const code = contents.map((part) => objects.bytes(part).toString('latin1')).join('\n')
  const { '/Font': fonts } = objects.dictionary(page['/Resources'])
  const marks: { readonly isArtifact: boolean; readonly isTold: boolean }[] = []
  const told = new Set<number>()
  const letters = new Map<string, Letters>()
  let font: Letters | undefined
  for (const { operator, operands } of operationsOf(code)) {
    if (operator === 'Tf') {
      const name = operands[0] ?? ''
      font = letters.get(name) ?? lettersOf(objects, objects.dictionary(fonts)[name], fault)
      letters.set(name, font)
    } else if (operator === 'BDC' || operator === 'BMC') {
      const number = /\/MCID\s+(\d+)/.exec(operands[1] ?? '')?.[1]
      const mark = { isArtifact: operands[0] === '/Artifact', isTold: number !== undefined }
      if (marks.some((one) => (mark.isArtifact ? one.isTold : mark.isTold && one.isArtifact))) {
        fault('7.1', 'what says nothing and what says something are in each other')
      }
      if (number !== undefined && told.has(Number(number))) fault('7.1', `mark ${number} is twice`)
      if (number !== undefined) told.add(Number(number))
      marks.push(mark)
    } else if (operator === 'EMC') {
      if (!marks.pop()) fault('7.1', 'a mark ends that never began')
    } else if (painting.test(operator)) {
      if (!marks.some(({ isArtifact, isTold }) => isArtifact || isTold)) {
        fault('7.1', `${operator} outside of every mark`)
      }
      if (/^(?:Tj|TJ|'|")$/.test(operator)) checkLetters(operands.join(' '), font, fault)
    }
  }
  if (marks.length > 0) fault('7.1', 'a mark never ends')
  return told
}

interface Operation {
  readonly operator: string
  readonly operands: readonly string[]
}

const tokens =
  /\((?:\\[^]|[^\\()])*\)|<<|>>|<[\da-fA-F\s]*>|[[\]]|\/[^\s()<>[\]{}/%]*|[^\s()<>[\]{}/%]+/g

/** What a page's code does, in its order; lists and dictionaries are one operand each. */
function* operationsOf(code: string): Generator<Operation> {
  let operands: string[] = []
  let depth = 0
  for (const [token] of code.matchAll(tokens)) {
    const isInside = depth > 0
    if (token === '<<' || token === '[') depth++
    if (token === '>>' || token === ']') depth--
    if (isInside) operands.push(`${operands.pop() ?? ''} ${token}`)
    else if (/^(?:[-+.\d]+|[(<[/].*)$/s.test(token)) operands.push(token)
    else {
      yield { operator: token, operands }
      operands = []
    }
  }
}

/** What the codes of a font stand for. */
type Letters = ReadonlyMap<number, string>

function lettersOf(objects: Objects, reference: Value | undefined, fault: Fault): Letters {
  const font = objects.dictionary(reference)
  const [descendant] = objects.list(font['/DescendantFonts'])
  const { '/FontDescriptor': described, '/CIDToGIDMap': glyphs } = objects.dictionary(descendant)
  if (font['/Encoding'] !== '/Identity-H' || glyphs !== '/Identity') {
    fault('7.21.3', 'a font of this kind is not looked at here')
  }
  const file = objects.dictionary(described)['/FontFile2']
  if (objects.bytes(file).length === 0) fault('7.21.4.1', 'a font is not embedded')
  const letters = unicodeOf(objects.bytes(font['/ToUnicode']).toString('latin1'))
  for (const letter of letters.values()) {
    if (/[\0\uFEFF\uFFFE]/.test(letter)) fault('7.21.7', 'a glyph stands for no letter')
  }
  return letters
}

/** What a font says that its codes stand for. */
function unicodeOf(map: string): Letters {
  const found = new Map<number, string>()
  const written = (hex: string) =>
    Buffer.from(hex.replaceAll(/\s/g, ''), 'hex').swap16().toString('utf16le')
  for (const [, ranges = ''] of map.matchAll(/beginbfrange([^]*?)endbfrange/g)) {
    const range = /<(\w+)>\s*<\w+>\s*\[([^\]]*)\]/g
    for (const [, first = '', list = ''] of ranges.matchAll(range)) {
      const all = [...list.matchAll(/<([^>]*)>/g)]
      for (const [i, [, hex = '']] of all.entries()) {
        found.set(Number.parseInt(first, 16) + i, written(hex))
      }
    }
  }
  return found
}

function checkLetters(shown: string, font: Letters | undefined, fault: Fault): void {
  for (const [, hex = ''] of shown.matchAll(/<([\da-fA-F]*)>/g)) {
    for (const [code] of hex.matchAll(/.{4}/g)) {
      const glyph = Number.parseInt(code, 16)
      if (glyph === 0) fault('7.21.8', 'the glyph for what a font lacks is referred to')
      else if (!font?.get(glyph)) fault('7.21.7', 'a glyph stands for no letter')
    }
  }
}
