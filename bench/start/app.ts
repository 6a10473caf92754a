import { connect } from '@svc/sdk'

/** Says when it is ready, on the clock that its page has too, and shows what its model says. */
const text = document.body.appendChild(document.createElement('p'))
const svc = await connect()
text.textContent = 'Ready'
const painted = await new Promise<number>((resolve) =>
  requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now()))),
)
const figures = { readyAt: painted, tokens: 0, troubles: [] as string[] }

async function stream() {
  const chat = await svc.agent.session({ submode: 'auto' })
  const run = await chat.run('go on')
  run.on('frame', (frame) => {
    if (frame.event !== 'sse') return
    figures.tokens += 1
    text.textContent = `${figures.tokens} ${'word '.repeat(figures.tokens % 100)}`
  })
}

Object.assign(globalThis, {
  bench: { figures, stream: () => void stream().catch((error) => figures.troubles.push(String(error))) },
})
