import type { BodyOf, RouteName, routes } from '@svc/contract/routes'

type Rows = typeof routes
type Body<Name extends RouteName> = BodyOf<Rows[Name]>

/** What a mint brings. */
export type MintBody = Body<'plugs.mint'>
/** What a commit brings. */
export type CommitBody = Body<'plugs.commit'>
/** What a mint and a commit in one bring. */
export type CreateBody = Body<'plugs.create'>
/** What is to be described. */
export type DescribeBody = Body<'plugs.describe'>
/** What an edit brings. */
export type EditBody = Body<'plugs.edit'>
/** What a new version brings. */
export type PublishBody = Body<'plugs.publish'>
/** What is said of a version. */
export type MarkBody = Body<'plugs.mark'>
