export {
  addDaysToDevice,
  assertFitsDevice,
  bindPlan,
  isReplaceable,
  renewPlan,
  startPlan,
  takeBack,
  termsOf,
  unbindPlan,
  upgradePlan,
} from './change-plans.ts';
export { grantPlan, newNumber } from './grant-plan.ts';
export { bulkPriceFen, canRenewWith, canUpgradeTo, type PlanTerms, upgradePriceFen } from './plan-prices.ts';
export { findPlan, findPlanOfDevice, listPlans, type PlanRow } from './plan-store.ts';
