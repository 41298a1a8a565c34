export { bindInviter, ensureInvitationCode, setInviter } from './bind-inviter.ts';
export { type BindState, readBindState } from './inviter-store.ts';
