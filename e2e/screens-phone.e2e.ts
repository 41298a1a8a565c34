import { testScreens } from './support/screens/screens-suite.ts';

testScreens('phone');
