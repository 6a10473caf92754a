export { CreateError } from './create-error.ts'
export { type ProjectValues, renderTemplate } from './render-template.ts'
export { findTemplate, type Template, type TemplateKind, templates } from './templates.ts'
export { writeProject } from './write-project.ts'
