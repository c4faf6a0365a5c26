package io.frameloom.testing;

import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.linux.X11;

/** A window of an X server, with a connection of its own, for tests that present to it. One thread at a time. */
public final class X11Window implements AutoCloseable {
    private final long display;
    private final long window;
    private boolean destroyed;
    private boolean closed;

    /** Shows a window of {@code width} times {@code height} texels. */
    public X11Window(String server, int width, int height) {
        display = X11.XOpenDisplay(server);
        if (display == MemoryUtil.NULL) {
            throw new IllegalStateException("cannot connect to the X server '" + server + "'");
        }
        // An error in what a driver asks of a window that is gone would end the process otherwise. A handler takes the
        // connection and the event; this one answers with a number, which nobody looks at.
        JNI.invokePP(function("XDefaultScreen"), function("XSetErrorHandler"));
        window = X11.nXCreateWindow(
                display,
                X11.XRootWindow(display, X11.XDefaultScreen(display)),
                0,
                0,
                width,
                height,
                0,
                X11.CopyFromParent,
                X11.InputOutput,
                X11.CopyFromParent,
                0,
                MemoryUtil.NULL);
        JNI.invokePPI(display, window, function("XMapWindow"));
        sync();
    }

    /** Returns the Display*. */
    public long display() {
        return display;
    }

    /** Returns the Window. */
    public long window() {
        return window;
    }

    /** Gives the window another extent. */
    public void resize(int width, int height) {
        JNI.invokePPI(display, window, width, height, function("XResizeWindow"));
        sync();
    }

    /** Destroys the window, and keeps the connection for whoever still uses it. */
    public void destroy() {
        if (!destroyed) {
            destroyed = true;
            X11.XDestroyWindow(display, window);
            sync();
        }
    }

    /** Destroys the window and ends the connection. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            destroy();
            X11.XCloseDisplay(display);
        }
    }

    private void sync() {
        JNI.invokePI(display, 0, function("XSync"));
    }

    private static long function(String name) {
        long address = X11.getLibrary().getFunctionAddress(name);
        if (address == MemoryUtil.NULL) {
            throw new IllegalStateException("the X library has no " + name);
        }
        return address;
    }
}
