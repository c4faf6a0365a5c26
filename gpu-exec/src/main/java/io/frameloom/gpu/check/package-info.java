/** The hazard checker: judges submissions from declared accesses alone, without the compiler that emitted them. */
@NullMarked
package io.frameloom.gpu.check;

import org.jspecify.annotations.NullMarked;
