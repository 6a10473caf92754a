export { answerer, type Outlet } from '../answer.ts'
