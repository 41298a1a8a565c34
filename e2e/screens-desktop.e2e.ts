import { testScreens } from './support/screens-suite.ts';

testScreens('desktop');
