/**
 * The hazard checker: judges submissions from declared accesses alone, without the compiler that emitted them. Give a
 * {@link io.frameloom.gpu.check.HazardChecker} to {@link io.frameloom.gpu.DeviceOptions#withObserver}, and ask it for
 * its {@linkplain io.frameloom.gpu.check.HazardChecker#hazards findings}.
 */
@NullMarked
package io.frameloom.gpu.check;

import org.jspecify.annotations.NullMarked;
