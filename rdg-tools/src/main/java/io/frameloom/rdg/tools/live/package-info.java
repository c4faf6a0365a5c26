/** A page in the browser that shows frames while they run: {@link io.frameloom.rdg.tools.live.LiveView}. */
@NullMarked
package io.frameloom.rdg.tools.live;

import org.jspecify.annotations.NullMarked;
