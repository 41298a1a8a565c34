import { testScreens } from './support/screens-suite.ts';

testScreens('phone');
