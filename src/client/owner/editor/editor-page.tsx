import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '#client/ui/icon.tsx'
import '#client/styles/owner.css'

interface EditorPageProps {
  readonly title: string
  readonly back: { readonly path: string; readonly title: string }
  /** Stands beside the heading. */
  readonly tools?: ReactNode
  readonly children: ReactNode
}

export function EditorPage({ title, back, tools, children }: EditorPageProps) {
  return (
    <>
      <Link className="crumb" to={back.path}>
        <Icon name="back" />
        {back.title}
      </Link>
      <header className="page-head">
        <h1 className="caret">{title}</h1>
        {tools}
      </header>
      <div className="editor">{children}</div>
    </>
  )
}

export const editorFormClass = 'card form-card form'
