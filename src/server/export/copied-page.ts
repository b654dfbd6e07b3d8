import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { html, parse, serialize, type DefaultTreeAdapterTypes } from 'parse5'
import { contactPath } from '../pages/form-mark.ts'

/*
 * A page of the site as a file that stands alone: no script, no form that nobody takes, and only addresses that hold
 * wherever the file lies. What only a script could answer goes; whoever copied an e-mail address gets a link to write to it.
 */

type Element = DefaultTreeAdapterTypes.Element
type Parent = DefaultTreeAdapterTypes.ParentNode
type Child = DefaultTreeAdapterTypes.ChildNode

/** Where whoever presses the contact form's button gets: a link in its place, or another service that takes the form. */
export type ContactLink =
  | { readonly is: 'link'; readonly href: string }
  | { readonly is: 'form'; readonly action: string }

interface Copying {
  /** The page's own file in the copy. */
  readonly file: string
  /** The file of the copy behind an address of the site, undefined when it has none. */
  fileOf(address: string): string | undefined
  /** Absent where there is no form. */
  readonly contact?: ContactLink | undefined
  readonly email: string
  /** The path that all addresses begin with, for a page that is shown at any depth; else they are relative. */
  readonly root?: string | undefined
}

/** The document for the copy. */
export function copiedPage(document: string, copying: Copying): string {
  const tree = parse(document, { scriptingEnabled: false })
  const outside = new Set<string>()
  visit(tree, (element) => copyElement(element, copying, outside))
  const head = find(tree, (element) => element.tagName === 'head')
  if (head) followTheme(tree, head)
  const styles = all(tree, (element) => element.tagName === 'style').map(textOf)
  head?.childNodes.unshift(policyTag(head, policyOf(styles, { ...copying, outside })))
  moveFirst(head, (element) => valueOf(element, 'charset') !== undefined)
  return serialize(tree)
}

/** The sheet with the addresses of files beside it in place of the site's. */
export function copiedSheet(
  text: string,
  { file, fileOf, root }: Pick<Copying, 'file' | 'fileOf' | 'root'>,
): string {
  return text.replace(/url\((["']?)(\/[^)"']+)\1\)/g, (whole, quote: string, address: string) => {
    const target = fileOf(address)
    return target === undefined ? whole : `url(${quote}${written(target, { file, root })}${quote})`
  })
}

const lightBar = '#f6fbfb'

/** Does what the pages' script does before the first paint: the bar in the theme's colour, and of two drawings the one that can be read. */
function followTheme(tree: Parent, head: Element): void {
  const theme = valueOf(find(tree, ({ tagName }) => tagName === 'html') ?? head, 'data-theme')
  const bar = find(head, (element) => valueOf(element, 'name') === 'theme-color')
  if (bar && theme === 'light') set(bar, 'content', lightBar)
  if (theme !== 'device') return
  const sheet = `@media (prefers-color-scheme:light){.typed-title .for-dark{display:none}.typed-title .for-light{display:block}}`
  head.childNodes.push(made('style', {}, [textNode(sheet)]))
}

/** What becomes of one element: kept, perhaps changed, or put something else in its place. */
function copyElement(element: Element, copying: Copying, outside: Set<string>): readonly Child[] {
  const { tagName } = element
  if (tagName === 'script') return isData(element) ? [element] : []
  if (tagName === 'link' && !isWanted(element)) return []
  if (isMissingFile(element, copying)) return []
  if (tagName === 'form') return copyForm(element, copying)
  if (tagName === 'button' && !isAnsweredByHtml(element)) return withoutScript(element, copying)
  if (tagName === 'html') drop(element, 'data-start')
  if (tagName === 'style') {
    const [text] = element.childNodes
    if (text && 'value' in text) text.value = copiedSheet(text.value, copying)
  }
  copyAddresses(element, copying, outside)
  return [element]
}

/** A link that saves a file which only a server makes. */
function isMissingFile(element: Element, { fileOf }: Copying): boolean {
  if (valueOf(element, 'download') === undefined) return false
  // One with its content in the address needs no file.
  const local = localOf(valueOf(element, 'href') ?? '')
  return local !== undefined && fileOf(local.path) === undefined
}

/** Search engines read it, nothing runs it. */
const isData = (element: Element) => valueOf(element, 'type') === 'application/ld+json'

const unwanted = /^(?:manifest|modulepreload|preload|dns-prefetch|preconnect)$/
const isWanted = (element: Element) => !unwanted.test(valueOf(element, 'rel') ?? '')

/** Buttons that open or close something by themselves, and those of a form that somebody takes. */
function isAnsweredByHtml(button: Element): boolean {
  if (valueOf(button, 'popovertarget') !== undefined) return true
  return (valueOf(button, 'type') ?? 'submit') === 'submit'
}

function copyForm(form: Element, { contact }: Copying): readonly Child[] {
  if (valueOf(form, 'action') !== contactPath || !contact) return [form]
  if (contact.is === 'form') {
    set(form, 'action', contact.action)
    // Without a script nobody else says what is missing.
    drop(form, 'novalidate')
    return [form]
  }
  const button = find(form, (element) => valueOf(element, 'type') === 'submit')
  const link = made('a', { class: 'btn', href: contact.href }, button?.childNodes ?? [])
  return [made('p', { class: valueOf(form, 'class') ?? '' }, [link])]
}

/** A button that needs a script: one that copies the e-mail address becomes a link to it, any other goes. */
function withoutScript(button: Element, { email }: Copying): readonly Child[] {
  const isCopy = find(button, (element) => valueOf(element, 'href') === '#i-copy')
  if (!isCopy || email === '') return []
  const icon = made('svg', { class: 'icon', 'aria-hidden': 'true' }, [
    made('use', { href: '#i-mail' }, []),
  ])
  const words = made('span', {}, [textNode(email)])
  return [made('a', { href: `mailto:${email}` }, [icon, words])]
}

function copyAddresses(element: Element, copying: Copying, outside: Set<string>): void {
  for (const name of ['href', 'src']) {
    const address = valueOf(element, name)
    if (address === undefined) continue
    if (name === 'src' && /^https?:/.test(address)) outside.add(new URL(address).origin)
    const local = localOf(address)
    if (local === undefined) continue
    const target = copying.fileOf(local.path)
    if (target === undefined) drop(element, name)
    else set(element, name, written(target, copying) + local.fragment)
  }
  const widths = valueOf(element, 'srcset')
  if (widths !== undefined) set(element, 'srcset', copiedSet(widths, copying))
}

/** An address of the site itself, with what stands behind its `#`; undefined for a place on the page and for other sites. */
function localOf(
  address: string,
): { readonly path: string; readonly fragment: string } | undefined {
  if (!/^\/(?!\/)/.test(address)) return undefined
  const [path = '', ...rest] = address.split('#')
  return { path, fragment: rest.length > 0 ? `#${rest.join('#')}` : '' }
}

/** The widths of a picture that the copy has. */
function copiedSet(text: string, copying: Copying): string {
  return text
    .split(/,\s+/)
    .flatMap((candidate) => {
      const [address = '', ...descriptor] = candidate.trim().split(/\s+/)
      const local = localOf(address)
      if (!local) return [candidate]
      const target = copying.fileOf(local.path)
      return target === undefined ? [] : [[written(target, copying), ...descriptor].join(' ')]
    })
    .join(', ')
}

/** How a page names another file of the copy. */
function written(target: string, { file, root }: Pick<Copying, 'file' | 'root'>): string {
  return root === undefined ? posix.relative(posix.dirname(file), target) : `${root}${target}`
}

interface Allowed extends Pick<Copying, 'contact'> {
  /** Other sites that pictures of entries are on. */
  readonly outside: ReadonlySet<string>
}

/** What the page may load: its own files, and nothing that runs. */
function policyOf(styles: readonly string[], { contact, outside }: Allowed): string {
  const hashes = styles.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`)
  const takes = contact?.is === 'form' ? new URL(contact.action).origin : "'none'"
  return [
    "default-src 'none'",
    // Opened from the disk, pages have no origin that their own files could share.
    `img-src 'self' file: data: ${[...outside].toSorted().join(' ')}`.trim(),
    `style-src 'self' file: ${hashes.join(' ')}`,
    "font-src 'self' file:",
    "base-uri 'none'",
    `form-action ${takes}`,
  ].join('; ')
}

function policyTag(parent: Parent, policy: string): Element {
  const tag = made('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }, [])
  tag.parentNode = parent
  return tag
}

/** Which letters a document is in has to be said at its beginning. */
function moveFirst(parent: Parent | undefined, is: (element: Element) => boolean): void {
  const index = parent?.childNodes.findIndex((child) => isElement(child) && is(child)) ?? -1
  if (!parent || index < 0) return
  const [moved] = parent.childNodes.splice(index, 1)
  if (moved) parent.childNodes.unshift(moved)
}

/** Goes through the tree from the leaves up, without comments and lines that part nothing any more. */
function visit(parent: Parent, copy: (element: Element) => readonly Child[]): void {
  const kept: Child[] = []
  for (const child of parent.childNodes) {
    if (child.nodeName === '#comment') continue
    if (!isElement(child)) {
      kept.push(child)
      continue
    }
    visit(child, copy)
    kept.push(...copy(child))
  }
  while (kept.at(-1)?.nodeName === 'hr') kept.pop()
  for (const child of kept) child.parentNode = parent
  parent.childNodes = kept
}

const isElement = (node: Child): node is Element => 'tagName' in node

function find(parent: Parent, is: (element: Element) => boolean): Element | undefined {
  return all(parent, is)[0]
}

function all(parent: Parent, is: (element: Element) => boolean): readonly Element[] {
  return parent.childNodes
    .filter(isElement)
    .flatMap((element) => [...(is(element) ? [element] : []), ...all(element, is)])
}

const textOf = (element: Element) =>
  element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')

const valueOf = (element: Element, name: string) =>
  element.attrs.find((attribute) => attribute.name === name)?.value

function set(element: Element, name: string, value: string): void {
  const attribute = element.attrs.find((known) => known.name === name)
  if (attribute) attribute.value = value
}

function drop(element: Element, name: string): void {
  element.attrs = element.attrs.filter((attribute) => attribute.name !== name)
}

function made(
  tagName: string,
  attributes: Readonly<Record<string, string>>,
  childNodes: readonly Child[],
): Element {
  const element: Element = {
    nodeName: tagName,
    tagName,
    attrs: Object.entries(attributes).map(([name, value]) => ({ name, value })),
    namespaceURI: ['svg', 'use'].includes(tagName) ? html.NS.SVG : html.NS.HTML,
    parentNode: null,
    childNodes: [...childNodes],
  }
  for (const child of childNodes) child.parentNode = element
  return element
}

const textNode = (value: string): DefaultTreeAdapterTypes.TextNode => ({
  nodeName: '#text',
  value,
  parentNode: null,
})
