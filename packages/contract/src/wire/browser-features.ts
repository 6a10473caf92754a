import type { BrowserPermission } from '../schemas/browser-permissions.ts'

/** A part of the web platform, as an app in a window has it. */
export interface BrowserFeature {
  /** As developers call it: in the table of the guide, in hints and in errors. */
  readonly name: string
  /** What an app uses in its place; left out, it works. */
  readonly instead?: string
  /** A browser that has it, but not for an app: there `instead` counts, elsewhere it works. */
  readonly notIn?: 'chromium' | 'firefox' | 'webkit'
  /** The word of `ui.browser` in the manifest that gives it. */
  readonly declared?: BrowserPermission
  /** How code shows that it uses what does not work. */
  readonly uses?: RegExp
}

const VALUES = 'keep values with svc.storage'
const FILES = 'keep values with svc.storage, what is large with svc.files'
const ORIGIN =
  'in the manifest: "csp": {"connect_src": ["https://example.org"]} in ui, which the user has to allow'
const DEVICES = 'apps get no devices of their user'

/** Every part of the web platform that apps ask for, each tried by `features.chromium.test.ts`. */
export const browserFeatures = {
  localStorage: { name: 'localStorage', instead: VALUES, uses: /\blocalStorage\b/ },
  sessionStorage: { name: 'sessionStorage', instead: VALUES, uses: /\bsessionStorage\b/ },
  cookies: { name: 'cookies', instead: VALUES, uses: /\bdocument\.cookie\b|\bcookieStore\./ },
  indexedDB: { name: 'IndexedDB', instead: FILES, uses: /\bindexedDB\b/ },
  caches: { name: 'Cache', instead: FILES, uses: /\bcaches\.(?:open|match|has|keys|delete)\b/ },
  opfs: { name: 'private file system (OPFS)', instead: FILES, uses: /\bstorage\.getDirectory\b/ },
  locks: {
    name: 'Web Locks',
    instead: 'write with svc.storage.set and its if_match, which refuses what another window has changed',
    uses: /\bnavigator\.locks\b/,
  },
  channel: { name: 'BroadcastChannel between a document and its workers' },

  worker: { name: 'Worker of a file, classic or module, also in a worker' },
  blobWorker: { name: 'Worker of a blob: or data: URL' },
  sharedWorker: {
    name: 'SharedWorker',
    instead: 'use Worker, and svc.storage for what windows have in common',
    uses: /\bnew SharedWorker\b/,
  },
  serviceWorker: {
    name: 'service workers',
    instead: 'the host keeps the files of an app and tells it of changes',
    uses: /\bserviceWorker\.register\b/,
  },
  wasm: { name: 'WebAssembly, with SIMD' },
  threads: {
    name: 'SharedArrayBuffer, and WebAssembly with threads',
    instead: 'choose a build for one thread',
    uses: /\bnew SharedArrayBuffer\b/,
  },
  eval: {
    name: 'eval and new Function',
    instead: 'choose a build of the library without them, often called CSP build',
    uses: /\b(?:eval|new Function)\(/,
  },
  audioWorklet: { name: 'AudioWorklet of a file' },
  blobWorklet: {
    name: 'worklets of a blob: or data: URL',
    instead: 'put the script of the worklet into a file of the app',
  },
  paintWorklet: { name: 'paint worklets, where the browser has them' },
  modules: { name: 'modules, import() and JSON modules' },
  importMaps: {
    name: 'import maps',
    instead: 'let the bundler resolve names',
    uses: /\btype=["']importmap/,
  },
  inlineScripts: {
    name: 'inline scripts, and handlers in attributes',
    instead: 'put them into a file of the app',
  },

  ownFiles: { name: 'fetch and XMLHttpRequest of own files' },
  otherOrigins: {
    name: 'fetch, XMLHttpRequest and sendBeacon to other origins',
    instead: `read pages with svc.web ("web": ["fetch"] in ui.host_api), or name the origin ${ORIGIN}`,
    uses: /\b(?:fetch|axios(?:\.\w+)?|sendBeacon)\(\s*["'`]https?:\/\//,
  },
  sockets: {
    name: 'WebSocket and EventSource',
    instead: `name the origin ${ORIGIN}`,
    uses: /\bnew (?:WebSocket|EventSource)\(/,
  },
  webrtc: {
    name: 'WebRTC and WebTransport',
    instead: 'let a plugin talk to others, and stream what it hears',
    uses: /\bnew (?:webkit)?(?:RTCPeerConnection|WebTransport)\b/,
  },
  frames: {
    name: 'iframes, <object> and <embed>',
    instead:
      'draw in the document itself, open a view with svc.window.open_view, or a site with svc.window.open_link',
    uses: /<(?:iframe|object|embed)\b|createElement\(\s*["'`](?:iframe|object|embed)["'`]/,
  },

  forms: { name: 'forms, validated, whose submit event a script takes' },
  posts: {
    name: 'forms that post to a server',
    instead: 'send what the form holds with svc, in a listener of its submit event',
  },
  links: { name: 'links to other sites: the page asks its user' },
  popups: {
    name: 'a window of window.open',
    instead: 'svc.window.open_link opens a site; svc.window.open_view a view',
  },
  history: { name: 'history.pushState and replaceState of states and hashes, location.hash' },
  paths: {
    name: 'history.pushState and replaceState of paths and queries',
    notIn: 'webkit',
    instead:
      'the address stays as it is in Safari, and a reload keeps query and hash, not the path; a router of hashes, such as HashRouter, works in all browsers',
  },
  dialogs: {
    name: 'alert, confirm and prompt',
    instead: 'show a <dialog> of your own',
    uses: /(?<![\w.$])(?:alert|confirm|prompt)\(/,
  },
  print: {
    name: 'print without a declaration',
    declared: 'print',
    instead: 'declare it in the manifest: "browser": ["print"] in ui',
    uses: /\bwindow\.print\(/,
  },
  downloads: {
    name: 'downloads without a declaration',
    declared: 'download',
    instead: 'declare it in the manifest: "browser": ["download"] in ui',
    uses: /\bdownload=["'{]|\.download\s*=[^=]/,
  },
  ownDialog: { name: '<dialog>, popover, custom elements, shadow DOM' },
  views: { name: 'view transitions and animations' },
  fonts: { name: 'fonts and style sheets of own files, fonts of data: URLs' },
  otherFonts: { name: 'fonts, styles and scripts of other origins', instead: 'put them into the app' },
  media: { name: 'audio, video and images of own files, blob: and data: URLs' },
  otherImages: {
    name: 'images of other origins',
    instead:
      'name the origin in the manifest: "csp": {"img_src": ["https://example.org"]} in ui, which the user has to allow',
  },

  canvas: { name: 'canvas and OffscreenCanvas' },
  webgl: { name: 'WebGL' },
  crypto: { name: 'Web Crypto' },
  gamepads: { name: 'gamepads' },
  audio: { name: 'Web Audio' },
  drag: { name: 'drag and drop, and files that are dropped' },
  fileInput: { name: '<input type="file">' },
  pickers: {
    name: 'the pickers of the File System Access API',
    instead: 'use <input type="file">',
    uses: /\bshow(?:OpenFile|SaveFile|Directory)Picker\b/,
  },
  clipboard: {
    name: 'writing to the clipboard without a declaration',
    declared: 'clipboard-write',
    instead: 'declare it in the manifest: "browser": ["clipboard-write"] in ui',
    uses: /\bclipboard\.write(?:Text)?\b/,
  },
  clipboardRead: {
    name: 'reading of the clipboard',
    instead: 'listen to the paste event, which the user causes',
    uses: /\bclipboard\.read(?:Text)?\b/,
  },
  fullscreen: {
    name: 'fullscreen without a declaration',
    declared: 'fullscreen',
    instead: 'declare it in the manifest: "browser": ["fullscreen"] in ui',
    uses: /\brequestFullscreen\b/,
  },
  pointerLock: { name: 'pointer lock', instead: 'use setPointerCapture', uses: /\brequestPointerLock\b/ },
  camera: {
    name: 'camera, microphone and screen',
    instead: DEVICES,
    uses: /\bget(?:UserMedia|DisplayMedia)\b/,
  },
  geolocation: {
    name: 'geolocation',
    instead: 'ask the user for the place',
    uses: /\bnavigator\.geolocation\b/,
  },
  notifications: {
    name: 'notifications',
    instead: 'call svc.window.set_title, or svc.chat.append_artifact',
    uses: /\bnew Notification\(|\bNotification\.requestPermission\b/,
  },
  devices: {
    name: 'Bluetooth, USB, serial ports, HID, MIDI and sensors',
    instead: 'a plugin on the machine of the user may use them',
    uses: /\bnavigator\.(?:bluetooth|usb|serial|hid)\b|\brequestMIDIAccess\b/,
  },
  share: { name: 'Web Share', instead: 'svc.window.open_link opens a site', uses: /\bnavigator\.share\b/ },
  wakeLock: { name: 'a screen that stays on', instead: DEVICES, uses: /\bwakeLock\.request\b/ },
  signIn: {
    name: 'passkeys, payment and other credentials of the browser',
    instead: 'svc.credentials asks for what a plugin needs',
    uses: /\bnavigator\.credentials\b|\bnew PaymentRequest\b/,
  },
} as const satisfies Readonly<Record<string, BrowserFeature>>

/** Names a part of the web platform. */
export type BrowserFeatureId = keyof typeof browserFeatures

/** What an app is told that uses what no app has. */
export const absentText = ({ name, instead = '' }: BrowserFeature): string =>
  `an app in a window has no ${name}: ${instead}`
