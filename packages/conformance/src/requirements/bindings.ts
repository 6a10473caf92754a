import { built } from './row.ts'

/** The bindings of frameworks, and the window element of pages. */
export const bindings = built('0132-framework-bindings', {
  'bindings.calls': 'A call has states, keeps the value of the one before, and rejects nothing.',
  'bindings.jobs':
    'A job has states and progress, is found again by its id, and goes on when nobody shows it.',
  'bindings.sessions': 'A session is messages whose parts grow; it is made with the first of them.',
  'bindings.stored': 'A stored value is never written over one that the document has not seen.',
  'bindings.connection': 'Connection, context and title follow the page.',
  'bindings.unmount': 'What is unmounted in the middle of a call hears and warns of nothing more.',
  'bindings.strict': 'An effect that runs twice in one tick calls once.',
  'bindings.server': 'Rendering on a server connects to nothing and calls nothing.',
  'bindings.suspense': 'A component that suspends calls nothing before it is mounted.',
  'bindings.element':
    'A window element has one window while it is in the page, and closes it when it leaves.',
  'bindings.size': 'A binding adds at most 1.5 kB to the SDK, or to the bridge.',
})

/** Bindings as users of each framework write them. */
export const writtenBindings = built('0207-elements-of-every-framework', {
  'bindings.attributes':
    'A window component has the attributes, the events and the ref of an element, in the oldest React that is promised and today’s.',
  'bindings.element.types': 'Each framework types the window element, and none has to be installed for it.',
})
