/** Litmus tests of barriers: does a device keep what a barrier promises, and would it show if it did not? */
@NullMarked
package io.frameloom.stress.gpu.litmus;

import org.jspecify.annotations.NullMarked;
