export { assertHasPlan, assertMayAddMapping, assertMayUseApp, bandwidthOf, planEndsAtMs } from './allowance.ts';
export { type Allowance, allowanceOfDevice, lacksPlanForApp, storeBilling } from './allowance-store.ts';
export {
  addDaysToDevice,
  assertFitsDevice,
  bindPlan,
  isReplaceable,
  movePlan,
  renewPlan,
  startPlan,
  takeBack,
  termsOf,
  unbindPlan,
  upgradePlan,
} from './change-plans.ts';
export { grantPlan } from './grant-plan.ts';
export { newNumber } from './order-number.ts';
export { bulkPriceFen, canRenewWith, canUpgradeTo, type PlanTerms, upgradePriceFen } from './plan-prices.ts';
export {
  countLiveFreePlans,
  findPlan,
  findPlanOfDevice,
  hasPaidPlan,
  type ListedPlan,
  listPlans,
  ownsDevice,
  type PlanFilter,
  type PlanRow,
  remainingSeconds,
  wouldReachTooFar,
} from './plan-store.ts';
