export { finishLogin, type LoginDeps } from './finish-login.ts';
