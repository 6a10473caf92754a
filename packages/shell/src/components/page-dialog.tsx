import { type ComponentProps, useLayoutEffect, useRef } from 'react'

/** A dialog over the whole page. Escape closes it, and the keyboard goes back where it was. */
export function PageDialog({ onClose, ...props }: { onClose: () => void } & ComponentProps<'dialog'>) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      ref={dialog}
      {...props}
    />
  )
}
