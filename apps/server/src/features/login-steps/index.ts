export {
  clearLoginStep,
  handLoginStepOut,
  loginStepProof,
  startLoginStep,
  type StartedLoginStep,
} from './login-step.ts';
export {
  claimLoginStep,
  claimTry,
  deleteExpiredLoginSteps,
  deleteLoginSteps,
  findLoginStep,
} from './login-step-store.ts';
