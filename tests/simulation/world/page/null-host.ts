import { createContext, type ReactNode } from 'react'
import createReconciler from 'react-reconciler'
import { ConcurrentRoot, DefaultEventPriority } from 'react-reconciler/constants.js'

type Props = Readonly<Record<string, unknown>>

/** An element of a page that nobody draws: React's own, with as much of a browser's as the product's code touches. */
export class Box {
  readonly children: (Box | { text: string })[] = []
  parent: Box | undefined
  value: string
  readonly dataset = {}
  readonly style = {}
  readonly type: string
  props: Props

  constructor(type: string, props: Props) {
    this.type = type
    this.props = props
    this.value = textOf(props['value'] ?? props['defaultValue'])
  }

  /** As a control of a form. */
  get name(): string {
    return textOf(this.props['name'])
  }

  /** Every element inside, itself first. */
  *all(): Generator<Box> {
    yield this
    for (const child of this.children) if (child instanceof Box) yield* child.all()
  }

  find(isMeant: (box: Box) => boolean): Box | undefined {
    for (const box of this.all()) if (isMeant(box)) return box
    return undefined
  }

  contains(box: unknown): boolean {
    return [...this.all()].some((inside) => inside === box)
  }

  text(): string {
    return this.children.map((child) => (child instanceof Box ? child.text() : child.text)).join('')
  }

  /** The controls of a form by their names. */
  get elements() {
    return { namedItem: (name: string) => this.find(({ props }) => props['name'] === name) ?? null }
  }

  focus(): void {}
  select(): void {}
  showModal(): void {}
  showPopover(): void {}
  hidePopover(): void {}
  close(): void {}
  scrollIntoView(): void {}
  getBoundingClientRect() {
    return { height: 0 }
  }
  matches(): boolean {
    return false
  }
  closest(): null {
    return null
  }
  querySelector(): null {
    return null
  }
  querySelectorAll(): readonly Box[] {
    return []
  }
  getAnimations(): readonly never[] {
    return []
  }
  addEventListener(): void {}
  removeEventListener(): void {}
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

let priority = 0

const host = {
  isPrimaryRenderer: true,
  supportsMutation: true,
  supportsPersistence: false,
  supportsHydration: false,
  supportsMicrotasks: true,
  supportsResources: false,
  supportsSingletons: false,
  supportsTestSelectors: false,
  warnsIfNotActing: false,
  noTimeout: -1,
  NotPendingTransition: null,
  HostTransitionContext: createContext(null),
  scheduleMicrotask: queueMicrotask,
  scheduleTimeout: setTimeout,
  cancelTimeout: clearTimeout,
  getRootHostContext: () => ({}),
  getChildHostContext: (context: unknown) => context,
  getPublicInstance: (box: unknown) => box,
  prepareForCommit: () => null,
  shouldSetTextContent: () => false,
  createInstance: (type: string, props: Props) => new Box(type, props),
  createTextInstance: (text: string) => ({ text }),
  appendInitialChild: append,
  appendChild: append,
  appendChildToContainer: append,
  finalizeInitialChildren: () => false,
  insertBefore: insert,
  insertInContainerBefore: insert,
  removeChild: remove,
  removeChildFromContainer: remove,
  clearContainer: (root: Box) => void root.children.splice(0),
  commitUpdate: (box: Box, _type: string, _before: Props, props: Props) => {
    box.props = props
    if ('value' in props) box.value = textOf(props['value'])
  },
  commitTextUpdate: (part: { text: string }, _before: string, text: string) => {
    part.text = text
  },
  setCurrentUpdatePriority: (next: number) => {
    priority = next
  },
  getCurrentUpdatePriority: () => priority,
  resolveUpdatePriority: () => priority || DefaultEventPriority,
  resolveEventType: () => null,
  resolveEventTimeStamp: () => -1.1,
  shouldAttemptEagerTransition: () => false,
  maySuspendCommit: () => false,
  preloadInstance: () => true,
  waitForCommitToBeReady: () => null,
}

// Whatever else the library asks of a host is about drawing, which this one does not do.
const { createContainer, updateContainer } = createReconciler(
  new Proxy<Record<string, unknown>>(host, {
    get: (target, name) => (name in target ? target[String(name)] : () => undefined),
  }),
)

function append(parent: Box, child: Box): void {
  remove(parent, child)
  child.parent = parent
  parent.children.push(child)
}

function insert(parent: Box, child: Box, before: Box): void {
  remove(parent, child)
  child.parent = parent
  parent.children.splice(parent.children.indexOf(before), 0, child)
}

function remove(parent: Box, child: Box): void {
  const index = parent.children.indexOf(child)
  if (index !== -1) parent.children.splice(index, 1)
}

/** Lets React run a tree of the product's components; resolves to the element around it. */
export function run(tree: ReactNode, onError: (error: unknown) => void): Box {
  const root = new Box('body', {})
  const container = createContainer(
    root,
    ConcurrentRoot,
    null,
    false,
    null,
    '',
    onError,
    onError,
    onError,
    () => undefined,
    null,
  )
  updateContainer(tree, container, null, null)
  return root
}
