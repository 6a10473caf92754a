import { createBridge } from '@svc/bridge'
import { createRoot } from 'react-dom/client'
import { Desk } from './desk.tsx'

const place = document.getElementById('root')
if (!place) throw new Error('index.html has no element with the id root')

/** One for the page: it is the connection to the host. */
const bridge = createBridge({ baseUrl: '/svc' })
createRoot(place).render(<Desk bridge={bridge} title={document.title} />)
