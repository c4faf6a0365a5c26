/** The hazard checker's judges, and the clocks and regions that they judge by. */
@NullMarked
package io.frameloom.gpu.check.judge;

import org.jspecify.annotations.NullMarked;
