package io.frameloom.gpu.virtual.device;

/** An object of a virtual device that an application owns and closes; those left open are closed with the device. */
interface VirtualObject {
    String name();

    void close();
}
