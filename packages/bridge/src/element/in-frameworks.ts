import type {
  SvcWindowElement,
  SvcWindowElementEventMap,
  SvcWindowElementEvents,
} from './svc-window-element.ts'

/** The attributes of the element in HTML, and where a framework writes attributes alone, as React 18 does. */
export interface SvcWindowAttributes {
  /** An app that the user installed. */
  'app-id'?: string | undefined
  /** A view in its manifest. */
  view?: string | undefined
  /** A window that is open at the host, in place of a new one. */
  'window-uuid'?: string | undefined
  /** Leaves the window open at the host. Written as `false` it would be there, too. */
  keep?: true | undefined
  /** The classes of the element; React 18 does not know `className` here. */
  class?: string | undefined
}

/** What a framework sets that sets properties, and the events that it hears by `on` and their name. */
export type SvcWindowBindings<Prefix extends string = 'on'> = {
  [Name in 'appId' | 'view' | 'windowUuid' | 'keep' | 'payload' | 'context' | 'bridge']?:
    | SvcWindowElement[Name]
    | undefined
} & {
  [Type in keyof SvcWindowElementEvents as `${Prefix}${Type}`]?:
    | ((event: SvcWindowElementEventMap[Type]) => unknown)
    | undefined
} & Omit<SvcWindowAttributes, 'keep'>

/** What a framework lets every element have, and what it lets this one have. */
type InJsx<Elements, Own> = (Elements extends { section: infer Every } ? Omit<Every, keyof Own> : unknown) &
  Own

/** The elements of React 18, whose types are for everybody; there are none but ours where it is not installed. */
type React18 = JSX.IntrinsicElements

/** React 18 writes attributes: a class by its name in HTML, and objects as text. */
type InReact18 = InJsx<React18, SvcWindowAttributes & { className?: never }>

/** That of React takes a callback of any element, Preact's does not. */
type PreactRef =
  | ((element: SvcWindowElement | null) => void)
  | { current: SvcWindowElement | null }
  | null
  | undefined

/** Vue writes the names of events in its own way, and any attribute. */
type InVue = {
  [Type in keyof SvcWindowElementEventMap as `on${Capitalize<Type>}`]?:
    | ((event: SvcWindowElementEventMap[Type]) => unknown)
    | undefined
} & { [attribute: string]: unknown }

/*
 * A framework that is not installed is an error, and that alone is ignored: none has to be there. `section` has what every
 * element has.
 */
declare global {
  namespace JSX {
    interface IntrinsicElements {
      'svc-window': InReact18
    }
  }
  namespace svelteHTML {
    interface IntrinsicElements {
      'svc-window': InJsx<IntrinsicElements, SvcWindowBindings>
    }
  }
}

// biome-ignore lint/suspicious/noTsIgnore: nothing is wrong where the framework is installed
/** @ts-ignore */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'svc-window': React18 extends { section: unknown }
        ? InReact18
        : InJsx<IntrinsicElements, SvcWindowBindings>
    }
  }
}

// biome-ignore lint/suspicious/noTsIgnore: nothing is wrong where the framework is installed
/** @ts-ignore */
declare module 'preact/jsx-runtime' {
  namespace JSX {
    interface IntrinsicElements {
      'svc-window': InJsx<IntrinsicElements, SvcWindowBindings & { ref?: PreactRef }>
    }
  }
}

// biome-ignore lint/suspicious/noTsIgnore: nothing is wrong where the framework is installed
/** @ts-ignore */
declare module 'solid-js/jsx-runtime' {
  namespace JSX {
    interface IntrinsicElements {
      'svc-window': InJsx<IntrinsicElements, SvcWindowBindings<'on:'>>
    }
  }
}

// biome-ignore lint/suspicious/noTsIgnore: nothing is wrong where the framework is installed
/** @ts-ignore */
declare module 'vue' {
  interface GlobalComponents {
    'svc-window': new () => {
      $props: Omit<SvcWindowBindings, 'class'> & InVue
    }
  }
}
