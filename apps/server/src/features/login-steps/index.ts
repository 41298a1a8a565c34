export {
  clearLoginStepCookie,
  setLoginStepCookie,
  readLoginStepCredentials,
  startLoginStep,
  type StartedLoginStep,
} from './login-step.ts';
export {
  claimLoginStep,
  claimLoginStepTry,
  deleteExpiredLoginSteps,
  deleteLoginSteps,
  findLoginStep,
} from './login-step-store.ts';
