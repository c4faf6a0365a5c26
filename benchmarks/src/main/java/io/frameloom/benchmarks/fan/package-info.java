/** Shape: fan-out/fan-in. One event with very many subsequents, one task with very many prerequisites. */
@NullMarked
package io.frameloom.benchmarks.fan;

import org.jspecify.annotations.NullMarked;
