/** Properties of the eventcount on which workers sleep. */
@NullMarked
package io.frameloom.stress.eventcount;

import org.jspecify.annotations.NullMarked;
