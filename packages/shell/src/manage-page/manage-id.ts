/** Names the page of Manage, which its button in the bar controls. */
export const MANAGE_ID = 'manage'
