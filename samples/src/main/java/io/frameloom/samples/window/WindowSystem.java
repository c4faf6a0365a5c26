package io.frameloom.samples.window;

import java.time.Duration;
import java.util.Set;

/** Opens windows and says what users do to them. One thread, the one that started the program. */
public interface WindowSystem extends AutoCloseable {
    /** Returns the instance extensions that surfaces are made with. */
    Set<String> extensions();

    /**
     * Opens a window.
     *
     * @param x where its left edge is, in texels of the screen, if the window system lets programs choose
     * @param y where its upper edge is
     */
    Stage open(String title, int x, int y, int width, int height);

    /** Hands what users did since the last call to the listeners of the windows. */
    void poll();

    /** Sleeps until a user does something, or the time is over; then as {@link #poll}. */
    void await(Duration time);

    /** Ends it; all its windows are closed. */
    @Override
    void close();
}
